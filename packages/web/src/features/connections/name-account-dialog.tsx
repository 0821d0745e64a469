import { type Account, BOUNDS, nameAccountSchema } from '@datadeck/contract';
import { type FormEvent, useId, useState } from 'react';
import { sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { useNameAccountMutation } from './connections-api.ts';

interface NameAccountDialogProps {
  /** Key of the account's provider. */
  provider: string;
  account: Account;
  onClose: () => void;
}

/** The dialog that names an account, e.g. 'Work', or removes its name. */
export function NameAccountDialog({
  provider,
  account: { account, title },
  onClose,
}: NameAccountDialogProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const formId = useId();
  const [name, setName] = useState(title);
  const [nameAccount, { isLoading, error }] = useNameAccountMutation();
  const problem = nameAccountSchema.shape.title.safeParse(name).error?.issues[0]?.message;
  const isChanged = name.trim() !== title;
  const close = useUnsaved(isChanged, onClose);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (!isChanged || problem !== undefined || isLoading) return;
    const { error: failure } = await nameAccount({ provider, account, title: name.trim() });
    if (!failure) onClose();
  }

  return (
    <Dialog
      open
      size="sm"
      onClose={close}
      title="Name the account"
      subtitle={account}
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          busy={isLoading}
          disabled={!mayChange || isLoading || !isChanged || problem !== undefined}
          title={forbidden}
        >
          Save
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
        <TextField
          label="Name"
          placeholder="Work"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={problem}
          hint={`Shown instead of ${account}, up to ${BOUNDS.accountTitle} characters. Without a name, ${account} is shown.`}
        />
        {error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
      </form>
    </Dialog>
  );
}
