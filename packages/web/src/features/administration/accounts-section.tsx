import { ACCOUNT_SEARCH_LENGTH, type AdminAccount, PAGE_SIZES } from '@datadeck/contract';
import { UsersRound } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Age } from '../../ui/date-time.tsx';
import { DebouncedTextField } from '../../ui/debounced-text-field.tsx';
import { countOf } from '../../ui/duration.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { pageCount } from '../../ui/page-window.ts';
import { Pagination } from '../../ui/pagination.tsx';
import { useLastPage } from '../../ui/use-last-page.ts';
import { AccountBadges } from './account-badges.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { methodWords } from './account-words.ts';
import { useAdminAccountsQuery } from './admin-api.ts';
import { Loaded } from './loaded.tsx';

/** Time after the last key until the search runs, ms. */
const SEARCH_DELAY = 250;

function AccountRow({ account, onOpen }: { account: AdminAccount; onOpen: () => void }) {
  const { name, email, isUnverified, signInMethods, providers, lastSeenAt } = account;
  const connected = providers.length === 0 ? 'Nothing connected' : providers.join(', ');
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 border-b px-4 py-3 last:border-b-0 @min-[52rem]:grid-cols-[minmax(0,1.4fr)_10rem_minmax(0,1fr)_7rem_auto]">
      <span className="min-w-0">
        <span dir="auto" title={name} className="block truncate text-left text-13 font-medium">
          {name}
        </span>
        <span title={email} className="block truncate text-12 text-ink-3">
          {email === '' ? 'No address' : email}
          {isUnverified && ' (unverified)'}
        </span>
      </span>
      <span className="order-3 @min-[52rem]:order-none">
        <AccountBadges account={account} />
      </span>
      <span className="order-4 col-span-2 min-w-0 text-12 text-ink-2 @min-[52rem]:order-none @min-[52rem]:col-span-1">
        <span className="block wrap-anywhere">{connected}</span>
        <span className="block wrap-anywhere text-ink-3">{methodWords(signInMethods)}</span>
      </span>
      <span className="order-3 text-right text-12 text-ink-3 @min-[52rem]:order-none @min-[52rem]:text-left">
        Seen <Age iso={lastSeenAt} className="tabular-nums" />
      </span>
      <Button
        size="sm"
        className="order-2 justify-self-end @min-[52rem]:order-none"
        aria-label={`Details of ${name}`}
        onClick={onOpen}
      >
        Details
      </Button>
    </li>
  );
}

/** The accounts of the server: search, pages of 20, and the details of each. */
export function AccountsSection() {
  const [query, setQuery] = useState({ search: '', page: 1 });
  const [opened, setOpened] = useState<string>();
  const load = useAdminAccountsQuery(query);
  const goTo = (page: number) => setQuery({ ...query, page });
  const { currentData } = load;
  // The number of pages of a search stays while another page loads or fails, so that the user can go back.
  const known = useRef({ search: '', total: 1 });
  if (currentData)
    known.current = { search: query.search, total: pageCount(currentData.count, PAGE_SIZES.results) };
  const total = known.current.search === query.search ? known.current.total : undefined;
  useLastPage(query.page, currentData && total, goTo);
  function onDeleted() {
    setOpened(undefined);
    void load.refetch();
  }
  return (
    <>
      <Card
        flush
        title="Accounts"
        actions={
          currentData && (
            <span className="text-12 text-ink-3 tabular-nums">{countOf(currentData.count, 'account')}</span>
          )
        }
      >
        <div className="max-w-md px-4 py-3">
          <DebouncedTextField
            label="Search by name, address or id"
            type="search"
            maxLength={ACCOUNT_SEARCH_LENGTH}
            delay={SEARCH_DELAY}
            value={query.search}
            onChange={(search) => setQuery({ search: search.trim(), page: 1 })}
          />
        </div>
        <div className="border-t">
          <Loaded load={load} rows={6}>
            {({ results }) =>
              results.length === 0 ? (
                <EmptyState
                  icon={<UsersRound size={20} />}
                  title={query.search === '' ? 'No accounts yet' : 'No account matches this search'}
                  hint={
                    query.search === ''
                      ? 'Demo users are not listed. They are counted under Plans.'
                      : 'It looks for a part of the name or address, or for an id.'
                  }
                />
              ) : (
                <ul aria-label="Accounts">
                  {results.map((account) => (
                    <AccountRow key={account._id} account={account} onOpen={() => setOpened(account._id)} />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </div>
        {total !== undefined && total > 1 && (
          <div className="border-t px-4 py-2">
            <Pagination label="Pages of accounts" page={query.page} total={total} onChange={goTo} />
          </div>
        )}
      </Card>
      {opened !== undefined && (
        <AccountDialog id={opened} onClose={() => setOpened(undefined)} onDeleted={onDeleted} />
      )}
    </>
  );
}
