import { CONNECTOR_BOUNDS, type ConnectorDetail } from '@datadeck/contract';
import { useState } from 'react';
import { errorOf, sentenceOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { useSetConnectorClientMutation } from './connectors-api.ts';

/** The OAuth client of a connector: the address to register at the provider, the id, and the secret, which is never shown again. */
export function OauthClient({ detail: { key, clientId, callbackUrl } }: { detail: ConnectorDetail }) {
  const [id, setId] = useState(clientId ?? '');
  const [secret, setSecret] = useState('');
  const [save, { isLoading, error }] = useSetConnectorClientMutation();
  const fields = errorOf(error)?.fields ?? {};
  useUnsaved(secret !== '', () => {});

  async function submit() {
    const { error: failure } = await save({ key, id: id.trim(), secret: secret.trim() });
    if (failure) return;
    setSecret('');
    toasts.success('The OAuth client is stored');
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-sm border p-3">
      <legend className="px-1 text-13 font-medium text-ink-2">OAuth client</legend>
      <p className="text-12 text-ink-3">
        Register Datadeck at the provider with this address, and enter the client that you get. It is stored
        encrypted, beside the document.
      </p>
      <CodeBlock label="Callback address" code={callbackUrl} />
      <div className="grid gap-3 @min-[34rem]:grid-cols-2">
        <TextField
          label="Client id"
          required
          spellCheck={false}
          autoCapitalize="off"
          maxLength={1000}
          value={id}
          error={fields.id}
          onChange={({ target }) => setId(target.value)}
        />
        <TextField
          label="Client secret"
          required
          type="password"
          autoComplete="new-password"
          maxLength={CONNECTOR_BOUNDS.value}
          value={secret}
          error={fields.secret}
          hint={
            clientId === null
              ? 'Nobody can connect before it is entered.'
              : 'Stored. Enter it again to change the client.'
          }
          onChange={({ target }) => setSecret(target.value)}
        />
      </div>
      {error !== undefined && Object.keys(fields).length === 0 && (
        <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>
      )}
      <div>
        <Button
          size="sm"
          busy={isLoading}
          disabled={isLoading || id.trim() === '' || secret.trim() === ''}
          onClick={() => void submit()}
        >
          Store client
        </Button>
      </div>
    </fieldset>
  );
}
