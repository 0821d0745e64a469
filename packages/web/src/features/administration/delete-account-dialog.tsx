import type { AdminAccountDetail } from '@datadeck/contract';
import { type FormEvent, useState } from 'react';
import { sentenceOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { countOf } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toast.tsx';
import { confirmationOf } from './account-words.ts';
import { useDeleteAccountOfMutation } from './admin-api.ts';

interface DeleteAccountDialogProps {
  account: AdminAccountDetail;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks for the address of an account, or its id without one, before it is deleted. */
export function DeleteAccountDialog({ account, onClose, onDeleted }: DeleteAccountDialogProps) {
  const [typed, setTyped] = useState('');
  const [deleteAccount, { isLoading, error }] = useDeleteAccountOfMutation();
  const expected = confirmationOf(account);
  const isConfirmed = typed.trim().toLowerCase() === expected.toLowerCase();
  const records = account.entities.reduce((sum, one) => sum + one.records, 0);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!isConfirmed) return;
    const { error: failure } = await deleteAccount({ id: account._id, confirmation: typed.trim() });
    if (failure) return;
    toasts.success(`${account.name} was deleted`);
    onDeleted();
  }

  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title={`Delete ${account.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form="delete-account-of"
            variant="danger"
            busy={isLoading}
            disabled={!isConfirmed || isLoading}
          >
            Delete account
          </Button>
        </>
      }
    >
      <form
        id="delete-account-of"
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void submit(event)}
      >
        <p className="text-13 text-ink-2">
          {countOf(records, 'record')}, views, alerts, tokens and connections of this account go, and access
          to its providers is revoked. This cannot be undone.
        </p>
        <TextField
          label={`Type the ${account.email === '' ? 'id' : 'address'} of the account`}
          data-autofocus
          spellCheck={false}
          autoCapitalize="off"
          maxLength={1000}
          value={typed}
          hint={<span className="wrap-anywhere">{expected}</span>}
          onChange={({ target }) => setTyped(target.value)}
        />
        {error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
      </form>
    </Dialog>
  );
}
