import type { Account } from '@datadeck/contract';
import { Database, KeyRound, Pencil, Settings2, Unplug } from 'lucide-react';
import type { Provider } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { accountName } from './account-name.ts';
import { ACCOUNT_STATUS, REJECTED } from './account-status.ts';
import { ConnectionFacts } from './connection-facts.tsx';

/** Why an account cannot be disconnected. */
const SIGNS_IN = 'You sign in with this account, so it cannot be disconnected.';

interface AccountActions {
  /** Connects it again, with the access of a consent page or as before. */
  onReconnect: (account: Account, access?: string) => void;
  onDisconnect: (account: Account) => void;
  onDeleteData: (account: Account) => void;
  onName: (account: Account) => void;
}

interface AccountRowProps extends AccountActions {
  account: Account;
  /** Further access that its consent page can give. */
  access: readonly { value: string; label: string }[];
  /** Whether the provider can be connected on this server. */
  mayConnect: boolean;
}

/** What is known of an account: its status, what it may read, and what hinders its use. */
function AccountFacts({ account }: { account: Account }) {
  const { status, method, signsIn } = account;
  return (
    <div className="mt-0.5 flex flex-col gap-0.5 text-12 text-ink-3">
      {account.title !== '' && (
        <p title={account.account} className="truncate">
          {account.account}
        </p>
      )}
      {status === 'disconnected' ? (
        <p>
          {account.isShown
            ? 'Its records stay until they are deleted.'
            : 'Its records are hidden until it is reconnected.'}
        </p>
      ) : (
        <ConnectionFacts {...account} />
      )}
      {status === 'reconnect-needed' && <p className="text-error-text">{REJECTED[method]} to continue.</p>}
      {signsIn && <p>{SIGNS_IN}</p>}
    </div>
  );
}

function AccountRow({ account, access, mayConnect, ...actions }: AccountRowProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const name = accountName(account);
  const { status, signsIn } = account;
  const isAsking = mayConnect && (status === 'disconnected' || status === 'reconnect-needed');
  const reconnect = {
    label: 'Reconnect',
    icon: <KeyRound size={14} />,
    disabled: !mayChange,
    onSelect: () => actions.onReconnect(account),
  };
  return (
    <li aria-label={name} className="flex items-start gap-2 border-t py-3 last:border-b">
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <span title={name} className="min-w-0 truncate text-13 font-medium">
            {name}
          </span>
          <Badge tone={ACCOUNT_STATUS[status].tone}>{ACCOUNT_STATUS[status].text}</Badge>
        </p>
        <AccountFacts account={account} />
      </div>
      <div className="flex items-center gap-1">
        {isAsking && (
          <Button
            size="sm"
            aria-label={`Reconnect ${name}`}
            disabled={!mayChange}
            title={forbidden}
            onClick={reconnect.onSelect}
          >
            Reconnect
          </Button>
        )}
        <Menu
          trigger={<IconButton label={`Manage account ${name}`} icon={<Settings2 size={16} />} />}
          items={[
            ...(mayConnect && !isAsking && status !== 'sample' ? [reconnect] : []),
            ...access.map(({ value, label }) => ({
              ...reconnect,
              label,
              onSelect: () => actions.onReconnect(account, value),
            })),
            {
              label: 'Name…',
              icon: <Pencil size={14} />,
              disabled: !mayChange,
              onSelect: () => actions.onName(account),
            },
            ...(status === 'disconnected'
              ? []
              : [
                  {
                    label: 'Disconnect',
                    icon: <Unplug size={14} />,
                    disabled: !mayChange || signsIn,
                    title: signsIn ? SIGNS_IN : undefined,
                    onSelect: () => actions.onDisconnect(account),
                  },
                ]),
            {
              label: 'Delete data',
              icon: <Database size={14} />,
              danger: true,
              disabled: !mayChange,
              onSelect: () => actions.onDeleteData(account),
            },
          ]}
        />
      </div>
    </li>
  );
}

/** Returns whether a card lists its accounts: several, one with a name, or a disconnected one. */
export function isListed(accounts: readonly Account[]): boolean {
  return (
    accounts.length > 1 || accounts.some(({ title, status }) => title !== '' || status === 'disconnected')
  );
}

/** Returns the access that a consent page can add to an account. What is granted is known of the first account alone. */
function accessOf({ consent, connection, unavailable }: Provider, { account, status, method }: Account) {
  if (unavailable !== undefined || status !== 'connected' || method !== 'consent') return [];
  const isFirst = connection?.account === account;
  return (consent?.access ?? []).filter(({ isGranted }) => !(isFirst && isGranted));
}

interface AccountListProps extends AccountActions {
  provider: Provider;
}

/** The accounts of a provider with their status and the actions on each. */
export function AccountList({ provider, ...actions }: AccountListProps) {
  return (
    <ul aria-label="Accounts" className="mt-4">
      {provider.accounts.map((account) => (
        <AccountRow
          key={account.account}
          account={account}
          access={accessOf(provider, account)}
          mayConnect={provider.unavailable === undefined}
          {...actions}
        />
      ))}
    </ul>
  );
}
