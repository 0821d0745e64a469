import { oneLineNameSchema, type Passkey } from '@datadeck/contract';
import { type FormEvent, useId, useState } from 'react';
import { sentenceOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { useRenamePasskeyMutation } from './passkeys-api.ts';

/** The dialog that renames a passkey. */
export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const formId = useId();
  const [name, setName] = useState(passkey.name);
  const [rename, { isLoading, error }] = useRenamePasskeyMutation();
  const problem = oneLineNameSchema.safeParse(name).error?.issues[0]?.message;
  const isChanged = name.trim() !== passkey.name;
  const close = useUnsaved(isChanged, onClose);
  const canSave = isChanged && problem === undefined && !isLoading;

  async function save(event: FormEvent) {
    event.preventDefault();
    if (!canSave) return;
    const { error: failure } = await rename({ id: passkey._id, name: name.trim() });
    if (!failure) onClose();
  }

  return (
    <Dialog
      open
      size="sm"
      onClose={close}
      title="Rename the passkey"
      footer={
        <Button type="submit" form={formId} variant="primary" busy={isLoading} disabled={!canSave}>
          Save
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
        <TextField
          label="Name"
          required
          data-autofocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={problem}
          hint="A name that helps you recognise the device or key."
        />
        {error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
      </form>
    </Dialog>
  );
}
