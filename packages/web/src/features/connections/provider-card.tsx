import type { Account } from '@datadeck/contract';
import { Check, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { Provider } from '../../api/models.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { AccountList, isListed } from './account-list.tsx';
import { ACCOUNT_STATUS, REJECTED } from './account-status.ts';
import { CardMenu, type OpenDialog } from './card-menu.tsx';
import { ConnectControl, openConsent, usesForm } from './connect-control.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { ConnectionFacts } from './connection-facts.tsx';
import { ExternalLink } from './external-link.tsx';
import { NameAccountDialog } from './name-account-dialog.tsx';
import { ProviderMark } from './provider-mark.tsx';
import { type Outcome, useProviderActions } from './use-provider-actions.ts';

/** The status that a card shows: that of an account which needs attention, else of the one that was connected first. */
function shownStatus({ accounts, connection }: Provider): Account['status'] | undefined {
  const isRejected = accounts.some(({ status }) => status === 'reconnect-needed');
  return isRejected ? 'reconnect-needed' : connection?.status;
}

/** Returns the line below the title: the account, or how many there are. */
function subtitleOf({ accounts, connection }: Provider): string {
  const inUse = accounts.filter(({ status }) => status !== 'disconnected').length;
  if (inUse > 1) return `${inUse} accounts`;
  return connection?.account ?? 'Not connected';
}

function CardHeader({ provider }: { provider: Provider }) {
  const status = shownStatus(provider);
  return (
    <div className="flex items-start gap-3">
      <ProviderMark mark={provider.mark} />
      <div className="min-w-0 flex-1">
        <h2 className="text-14 font-semibold">{provider.title}</h2>
        <p title={provider.connection?.account} className="truncate text-12 text-ink-3">
          {subtitleOf(provider)}
        </p>
      </div>
      {status && <Badge tone={ACCOUNT_STATUS[status].tone}>{ACCOUNT_STATUS[status].text}</Badge>}
    </div>
  );
}

/** The single account of a provider, which has no name of its own. */
function SingleAccount({ connection }: { connection: NonNullable<Provider['connection']> }) {
  return (
    <>
      {connection.status === 'reconnect-needed' && (
        <div className="mt-3">
          <NoticeLine tone="error">{REJECTED[connection.method]} to continue synchronizing.</NoticeLine>
        </div>
      )}
      <div className="mt-3 flex flex-col gap-1 text-12 text-ink-3">
        <ConnectionFacts {...connection} />
      </div>
    </>
  );
}

/** Says what an action has done; empty before one. */
function OutcomeLine({ outcome: { sentence, left } }: { outcome: Outcome }) {
  return (
    <p role="status" className="flex items-start gap-1.5 text-12 text-ink-2 not-empty:mt-3">
      {sentence !== '' && (
        <>
          <Check aria-hidden="true" size={14} className="mt-px shrink-0 text-success" />
          <span className="min-w-0 wrap-anywhere">
            {sentence}
            {left && (
              <>
                {' '}
                {left.text} <ExternalLink {...left.link} />
              </>
            )}
          </span>
        </>
      )}
    </p>
  );
}

interface ProviderCardProps {
  provider: Provider;
  /** Whether the user signed in with this provider; then it cannot be disconnected. */
  isSignInProvider: boolean;
  /** Goes to the synchronization of its data. */
  onSynchronize?: (() => void) | undefined;
}

/** A provider: its description, its accounts, and the actions on it. */
export function ProviderCard({ provider, isSignInProvider, onSynchronize }: ProviderCardProps) {
  const { connection, accounts, unavailable } = provider;
  const isUsable = provider.isConnected && connection?.status !== 'reconnect-needed';
  const mayConnect = unavailable === undefined || isUsable;
  const { outcome, clear, isBusy, ...actions } = useProviderActions(provider);
  const [open, setOpen] = useState<OpenDialog>();
  const close = () => setOpen(undefined);

  function reconnect(account: Account, access?: string) {
    clear();
    if (usesForm(provider, account)) setOpen({ is: 'form', account });
    else openConsent(provider, { access, account: account.account });
  }

  return (
    <article
      aria-label={provider.title}
      className="flex min-w-0 flex-col rounded-md border bg-surface p-5 shadow-low"
    >
      <CardHeader provider={provider} />
      <p className="mt-4 text-13 text-ink-2">{provider.description}</p>
      <ul className="mt-3 flex flex-wrap gap-1.5" aria-label="Entities">
        {provider.entities.map((entity) => (
          <li key={entity.id}>
            <Badge>{entity.title}</Badge>
          </li>
        ))}
      </ul>
      {isListed(accounts) ? (
        <AccountList
          provider={provider}
          onReconnect={reconnect}
          onDisconnect={(account) => void actions.askDisconnect(account)}
          onDeleteData={(account) => void actions.askDeleteData(account)}
          onName={(account) => setOpen({ is: 'name', account })}
        />
      ) : (
        connection && <SingleAccount connection={connection} />
      )}
      {!mayConnect && unavailable !== undefined && (
        <div className="mt-3">
          <NoticeLine tone="info">{unavailable}</NoticeLine>
        </div>
      )}
      <OutcomeLine outcome={outcome} />
      <div className="mt-auto flex flex-wrap justify-end gap-2 pt-5">
        <span className="contents">
          <CardMenu
            provider={provider}
            isSignInProvider={isSignInProvider}
            isBusy={isBusy}
            actions={actions}
            onOpen={setOpen}
          />
          {mayConnect && (
            <ConnectControl provider={provider} onBegin={clear} onForm={() => setOpen({ is: 'form' })} />
          )}
          {isUsable && connection?.status === 'connected' && onSynchronize && (
            <Button
              icon={<RefreshCw size={14} />}
              aria-label={`Synchronize ${provider.title}`}
              onClick={onSynchronize}
            >
              Synchronize
            </Button>
          )}
        </span>
      </div>
      {open?.is === 'form' && (
        <ConnectDialog
          provider={provider}
          account={open.account}
          isAddition={open.isAddition}
          onClose={close}
        />
      )}
      {open?.is === 'name' && (
        <NameAccountDialog provider={provider.key} account={open.account} onClose={close} />
      )}
    </article>
  );
}

const FACEBOOK =
  'M24 12.073c0-6.627-5.373-12-12-12s-12 5.373-12 12c0 5.99 4.388 10.954 10.125 11.854v-8.385H7.078v-3.47h3.047V9.43c0-3.007 1.792-4.669 4.533-4.669 1.312 0 2.686.235 2.686.235v2.953H15.83c-1.491 0-1.956.925-1.956 1.874v2.25h3.328l-.532 3.47h-2.796v8.385C19.612 23.027 24 18.062 24 12.073z';

/** The card of the social provider, which cannot be used. */
export function SocialProviderCard() {
  return (
    <article
      aria-label="Facebook"
      aria-disabled="true"
      className="flex flex-col rounded-md border border-line-strong border-dashed p-5 text-ink-3"
    >
      <div className="flex items-start gap-3">
        <ProviderMark mark={FACEBOOK} />
        <div>
          <h2 className="text-14 font-semibold">Facebook</h2>
          <p className="text-12">Not available</p>
        </div>
      </div>
      <p className="mt-4 text-13">Under construction...</p>
    </article>
  );
}
