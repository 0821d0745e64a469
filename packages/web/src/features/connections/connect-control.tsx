import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { leaveFor } from '../../api/leave.ts';
import type { Provider } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/switch.tsx';
import { toasts } from '../../ui/toast.tsx';

/** Goes to the provider's consent page. @param access access beyond the least, e.g. `private` */
export function openConsent({ key, title }: Provider, access?: string): void {
  try {
    leaveFor(access === undefined ? `/auth/${key}` : `/auth/${key}?access=${encodeURIComponent(access)}`);
  } catch {
    toasts.error(`Connecting to ${title} failed`);
  }
}

/** Returns whether the button Connect or Reconnect opens the form instead of the consent page. */
function usesForm({ consent, form, connection }: Provider): boolean {
  return form !== undefined && (consent === undefined || connection?.method === 'form');
}

interface ConnectControlProps {
  provider: Provider;
  /** Called when the user starts to connect. */
  onBegin: () => void;
  onForm: () => void;
}

/** Connects through the provider's consent page or its form; offers both if the provider has both. */
export function ConnectControl({ provider, onBegin, onForm }: ConnectControlProps) {
  const { consent, form, connection } = provider;
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [chosen, setChosen] = useState<string>();
  const isReconnect = connection?.status === 'reconnect-needed';
  if (provider.isConnected && !isReconnect) return <Button disabled>In use</Button>;
  const isForm = usesForm(provider);
  // A wider choice replaces a narrower one, so at most one is chosen.
  const access = isForm ? [] : (consent?.access ?? []);
  const selected = chosen ?? access.find(({ isGranted }) => isGranted)?.value;

  function begin(connect: () => void) {
    onBegin();
    connect();
  }

  return (
    <>
      {access.map(({ value, label, tip }) => (
        <div key={value} className="order-first mb-2 w-full rounded-sm bg-sunken px-3 py-2">
          <Switch
            label={label}
            checked={selected === value}
            disabled={!mayChange}
            onChange={(isOn) => setChosen(isOn ? value : '')}
          />
          <p className="mt-1 text-12 text-ink-3">{tip}</p>
        </div>
      ))}
      {consent && form && (
        <Button
          disabled={!mayChange}
          title={forbidden}
          onClick={() => begin(isForm ? () => openConsent(provider) : onForm)}
        >
          {isForm ? 'Use sign-in' : form.action}
        </Button>
      )}
      <Button
        variant="primary"
        {...(!isReconnect && { icon: <Link2 size={14} />, 'aria-label': `Connect ${provider.title}` })}
        disabled={!mayChange}
        title={forbidden}
        onClick={() => begin(isForm ? onForm : () => openConsent(provider, selected || undefined))}
      >
        {isReconnect ? 'Reconnect' : 'Connect'}
      </Button>
    </>
  );
}
