import type { ConnectorDetail } from '@datadeck/contract';
import { type FormEvent, useId, useState } from 'react';
import { sentenceOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { countOf } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useDeleteConnectorMutation } from './connectors-api.ts';

interface DeleteConnectorDialogProps {
  detail: ConnectorDetail;
  title: string;
  /** Withdraws it instead. */
  onWithdraw: () => void;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks for the key of a connector before it is deleted, and offers to withdraw it instead. */
export function DeleteConnectorDialog({
  detail,
  title,
  onWithdraw,
  onClose,
  onDeleted,
}: DeleteConnectorDialogProps) {
  const formId = useId();
  const [typed, setTyped] = useState('');
  const [remove, { isLoading, error }] = useDeleteConnectorMutation();
  const { key, accounts, state } = detail;
  const isConfirmed = typed.trim() === key;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!isConfirmed) return;
    const { error: failure } = await remove({ key, confirmation: typed.trim() });
    if (failure) return;
    toasts.success(`${title} was deleted`);
    onDeleted();
  }

  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title={`Delete ${title}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            variant="danger"
            busy={isLoading}
            disabled={!isConfirmed || isLoading}
          >
            Delete connector
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <p className="text-13 text-ink-2">
          {accounts === 0
            ? 'No account uses it. '
            : `${countOf(accounts, 'connected account')} ${accounts === 1 ? 'is' : 'are'} removed. `}
          All records of all users that came from it, their syncs and its versions are deleted. This cannot be
          undone.
        </p>
        {state === 'published' && (
          <NoticeLine tone="info">
            To end its use and keep the data,{' '}
            <button
              type="button"
              onClick={onWithdraw}
              className="rounded-sm font-medium text-accent-text underline"
            >
              withdraw it
            </button>{' '}
            instead.
          </NoticeLine>
        )}
        <TextField
          label="Type the key of the connector"
          data-autofocus
          spellCheck={false}
          autoCapitalize="off"
          maxLength={1000}
          value={typed}
          hint={<code className="font-mono">{key}</code>}
          onChange={({ target }) => setTyped(target.value)}
        />
        {error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
      </form>
    </Dialog>
  );
}
