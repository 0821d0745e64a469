import { CopyButton } from '../../ui/copy-button.tsx';
import { TextField } from '../../ui/text-field.tsx';

/** The new secret of a webhook, which is shown only once. */
export function SigningSecret({ secret }: { secret: string }) {
  return (
    <div className="flex flex-col gap-2 rounded-sm border p-3">
      <TextField
        label="Secret"
        value={secret}
        readOnly
        className="font-mono"
        aside={<CopyButton text={secret} label="Copy secret" />}
        hint="Copy it now: it is shown only once. The header X-Datadeck-Signature of each message is sha256= followed by the HMAC-SHA256 of the body with this secret, in hex."
      />
    </div>
  );
}
