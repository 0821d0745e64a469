import { Check, ChevronDown, Database, KeyRound, Unplug } from 'lucide-react';
import { useState } from 'react';
import type { Provider } from '../../api/models.ts';
import { useMayChange } from '../../api/permission.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { confirm, confirmDeletion } from '../../ui/confirmation.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { Menu } from '../../ui/menu.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { toasts } from '../../ui/toast.tsx';
import { ConnectControl, openConsent } from './connect-control.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { useDeleteProviderDataMutation, useDisconnectMutation } from './connections-api.ts';
import { ExternalLink } from './external-link.tsx';
import { ProviderMark } from './provider-mark.tsx';

const STATUS = {
  connected: { tone: 'success', text: 'Connected' },
  'reconnect-needed': { tone: 'error', text: 'Reconnect needed' },
  sample: { tone: 'secondary', text: 'Sample data' },
} as const;

/** What a provider no longer accepts, and what to do. */
const REJECTED = {
  consent: 'The provider rejected the stored permission. Connect again',
  form: 'The provider rejected the stored token or password. Reconnect with a new one',
} as const;

type LeftBehind = NonNullable<Provider['form']>['leftBehind'];

/** Menu items that replace the credentials of a connected provider, or add access to them. */
function connectItems(provider: Provider, mayChange: boolean, onForm: () => void) {
  const { connection, consent, form } = provider;
  if (connection?.status !== 'connected') return [];
  const item = { icon: <KeyRound size={14} />, disabled: !mayChange };
  if (connection.method === 'form')
    return form ? [{ ...item, label: form.replaceAction, onSelect: onForm }] : [];
  return (consent?.access ?? [])
    .filter(({ isGranted }) => !isGranted)
    .map(({ value, label }) => ({ ...item, label, onSelect: () => openConsent(provider, value) }));
}

/** What a connection may read and when its token expires. */
function ConnectionFacts({ connection }: { connection: NonNullable<Provider['connection']> }) {
  const { connectedAt, access, expiresAt } = connection;
  return (
    <div className="mt-3 flex flex-col gap-1 text-12 text-ink-3">
      <p>
        Since <DateTime iso={connectedAt} className="tabular-nums" />
      </p>
      {access !== '' && <p className="break-words">Access: {access}</p>}
      {expiresAt !== null && (
        <p>
          {Date.parse(expiresAt) < Date.now() ? 'Token expired on' : 'Token expires on'}{' '}
          <DateTime iso={expiresAt} className="tabular-nums" />
        </p>
      )}
    </div>
  );
}

interface ProviderCardProps {
  provider: Provider;
  /** Whether the user signed in with this provider; then it cannot be disconnected. */
  isSignInProvider: boolean;
}

/** A provider: its description, its connection, and the actions on it. */
export function ProviderCard({ provider, isSignInProvider }: ProviderCardProps) {
  const mayChange = useMayChange();
  const [disconnect, disconnecting] = useDisconnectMutation();
  const [deleteData, deleting] = useDeleteProviderDataMutation();
  const { connection } = provider;
  const isUsable = provider.isConnected && connection?.status !== 'reconnect-needed';
  const mayConnect = provider.unavailable === undefined || isUsable;
  const busy = disconnecting.isLoading || deleting.isLoading;
  const [done, setDone] = useState('');
  const [left, setLeft] = useState<LeftBehind>(null);
  const [isFormOpen, setFormOpen] = useState(false);

  function clear() {
    setDone('');
    setLeft(null);
  }

  async function askDisconnect() {
    const message =
      "Associated data won't be deleted, you will be able to reconnect to synchronized data. Confirm to continue.";
    if (!(await confirm(`Disconnect ${provider.title}`, message))) return;
    clear();
    const leftBehind = connection?.method === 'form' ? (provider.form?.leftBehind ?? null) : null;
    const { error } = await disconnect(provider.key);
    if (error) toasts.error('Failed disconnecting the provider');
    else {
      setDone('Disconnected. The synchronized data was kept.');
      setLeft(leftBehind);
    }
  }

  async function askDeleteData() {
    const message = 'All associated data for this provider will be deleted. Confirm to continue.';
    if (!(await confirmDeletion(`Delete data of ${provider.title}`, message))) return;
    clear();
    const { error } = await deleteData(provider.key);
    if (error) toasts.error('Failed deleting the data for this provider');
    else setDone('All data of this provider was deleted.');
  }

  const items = [
    ...connectItems(provider, mayChange, () => setFormOpen(true)),
    ...(isSignInProvider
      ? []
      : [
          {
            label: 'Disconnect',
            icon: <Unplug size={14} />,
            disabled: !mayChange || !provider.isConnected,
            onSelect: () => void askDisconnect(),
          },
        ]),
    {
      label: 'Delete data',
      icon: <Database size={14} />,
      danger: true,
      disabled: !mayChange,
      onSelect: () => void askDeleteData(),
    },
  ];

  return (
    <article
      aria-label={provider.title}
      className="flex min-w-0 flex-col rounded-md border bg-surface p-5 shadow-low"
    >
      <div className="flex items-start gap-3">
        <ProviderMark mark={provider.mark} />
        <div className="min-w-0 flex-1">
          <h2 className="text-14 font-semibold">{provider.title}</h2>
          <p title={connection?.account} className="truncate text-12 text-ink-3">
            {connection?.account ?? 'Not connected'}
          </p>
        </div>
        {connection && <Badge tone={STATUS[connection.status].tone}>{STATUS[connection.status].text}</Badge>}
      </div>
      <p className="mt-4 text-13 text-ink-2">{provider.description}</p>
      <ul className="mt-3 flex flex-wrap gap-1.5" aria-label="Entities">
        {provider.entities.map((entity) => (
          <li key={entity.id}>
            <Badge>{entity.title}</Badge>
          </li>
        ))}
      </ul>
      {connection?.status === 'reconnect-needed' && (
        <div className="mt-3">
          <NoticeLine tone="error">{REJECTED[connection.method]} to continue synchronizing.</NoticeLine>
        </div>
      )}
      {connection && <ConnectionFacts connection={connection} />}
      {!mayConnect && provider.unavailable !== undefined && (
        <div className="mt-3">
          <NoticeLine tone="info">{provider.unavailable}</NoticeLine>
        </div>
      )}
      <p role="status" className="flex items-start gap-1.5 text-12 text-ink-2 not-empty:mt-3">
        {done !== '' && (
          <>
            <Check aria-hidden="true" size={14} className="mt-px shrink-0 text-success" />
            <span>
              {done}
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
      <div className="mt-auto flex flex-wrap justify-end gap-2 pt-5">
        <span className="contents">
          <Menu
            items={items}
            trigger={
              <Button busy={busy} aria-label={`Manage ${provider.title}`}>
                Manage
                <ChevronDown aria-hidden="true" size={14} />
              </Button>
            }
          />
          {mayConnect && (
            <ConnectControl provider={provider} onBegin={clear} onForm={() => setFormOpen(true)} />
          )}
        </span>
      </div>
      {isFormOpen && <ConnectDialog provider={provider} onClose={() => setFormOpen(false)} />}
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
