import { type AuditEntry, PAGE_SIZES } from '@datadeck/contract';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { pageCount } from '../../ui/page-window.ts';
import { Pagination } from '../../ui/pagination.tsx';
import { useLastPage } from '../../ui/use-last-page.ts';
import { useAdminAuditQuery } from './admin-api.ts';
import { ACTION_WORDS, ACTOR_TITLES, type AuditedAccount, accountMark, accountName } from './audit-words.ts';
import { Loaded } from './loaded.tsx';

/** The name of an account, and what distinguishes it from others that chose the same. */
function AccountName({ account }: { account: AuditedAccount }) {
  const mark = accountMark(account);
  return (
    <>
      <bdi title={account._id} className="font-medium">
        {accountName(account)}
      </bdi>
      {mark !== undefined && (
        <span className="text-ink-3">
          {' '}
          (<bdi>{mark}</bdi>)
        </span>
      )}
    </>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { actor, by } = entry;
  return (
    <li className="grid gap-x-4 gap-y-0.5 border-b px-4 py-2.5 text-13 last:border-b-0 @min-[44rem]:grid-cols-[1fr_auto]">
      <p className="min-w-0 wrap-anywhere">
        <Badge tone={actor === 'account' ? 'neutral' : 'accent'}>{ACTOR_TITLES[actor]}</Badge>{' '}
        {by !== null && (
          <>
            <AccountName account={by} />{' '}
          </>
        )}
        {ACTION_WORDS[entry.action]}{' '}
        {entry.account === null ? (
          <span className="font-medium">{entry.detail}</span>
        ) : (
          <>
            <AccountName account={entry.account} />
            {entry.detail !== '' && <span className="text-ink-3"> · {entry.detail}</span>}
          </>
        )}
      </p>
      <DateTime iso={entry.at} className="text-12 text-ink-3 tabular-nums @min-[44rem]:leading-5" />
    </li>
  );
}

/** What administrators did, newest first. */
export function AuditSection() {
  const [page, setPage] = useState(1);
  const load = useAdminAuditQuery(page, { refetchOnMountOrArgChange: true });
  // The number of pages stays while another one loads or fails, so that the user can go back.
  const total = load.data && pageCount(load.data.count, PAGE_SIZES.results);
  useLastPage(page, total, setPage);
  return (
    <Card flush title="Audit log">
      <Loaded load={load} rows={6}>
        {({ results }) =>
          results.length === 0 ? (
            <EmptyState
              icon={<ScrollText size={20} />}
              title="Nothing yet"
              hint="Each change by an administrator, on this screen or by the shell, is listed here."
            />
          ) : (
            <ul aria-label="Audit log">
              {results.map((entry) => (
                <Entry key={entry._id} entry={entry} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {total !== undefined && total > 1 && (
        <div className="border-t px-4 py-2">
          <Pagination label="Pages of the audit log" page={page} total={total} onChange={setPage} />
        </div>
      )}
    </Card>
  );
}
