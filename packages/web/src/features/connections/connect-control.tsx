import type { Account } from '@datadeck/contract';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { withSearch } from '../../address/paths.ts';
import { leaveFor } from '../../api/leave.ts';
import type { Provider } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/switch.tsx';
import { toasts } from '../../ui/toast.tsx';

interface ConsentChoice {
  /** Access beyond the least, e.g. `private`. */
  access?: string | undefined;
  /** The account that the page offers. */
  account?: string | undefined;
  /** '1' to add an account: the page lets the user choose one. */
  add?: '1';
}

/** Goes to the provider's consent page. */
export function openConsent({ key, title }: Provider, choice: ConsentChoice = {}): void {
  const given = Object.entries(choice).filter(([, value]) => value !== undefined);
  try {
    leaveFor(withSearch(`/auth/${key}`, Object.fromEntries(given)));
  } catch {
    toasts.error(`Connecting to ${title} failed`);
  }
}

/** Returns whether the form connects an account again, instead of the consent page. */
export function usesForm({ consent, form }: Provider, account: Pick<Account, 'method'> | null): boolean {
  return form !== undefined && (consent === undefined || account?.method === 'form');
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
  const isForm = usesForm(provider, connection);
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
        data-connect
        {...(!isReconnect && { icon: <Link2 size={14} />, 'aria-label': `Connect ${provider.title}` })}
        disabled={!mayChange}
        title={forbidden}
        onClick={() =>
          begin(
            isForm
              ? onForm
              : () =>
                  openConsent(provider, {
                    access: selected || undefined,
                    account: isReconnect ? connection?.account : undefined,
                  }),
          )
        }
      >
        {isReconnect ? 'Reconnect' : 'Connect'}
      </Button>
    </>
  );
}
