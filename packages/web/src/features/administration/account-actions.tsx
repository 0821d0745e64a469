import type { AdminAccountDetail } from '@datadeck/contract';
import { useId } from 'react';
import { sentenceOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirmation.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useSetAdministratorMutation, useSignOutEverywhereMutation } from './admin-api.ts';

interface AccountActionsProps {
  account: AdminAccountDetail;
  onDelete: () => void;
}

/** What an administrator can do with an account, as buttons. */
export function AccountActions({ account, onDelete }: AccountActionsProps) {
  const { _id: id, name, isAdministrator } = account;
  const reasonId = useId();
  const [signOut, signingOut] = useSignOutEverywhereMutation();
  const [setAdministrator, setting] = useSetAdministratorMutation();

  async function askSignOut() {
    const question = `All browsers of ${name} are signed out, and printed links stop working. API tokens stay valid.`;
    if (!(await confirm('Sign out everywhere', question))) return;
    const { error } = await signOut(id);
    if (error) toasts.error(sentenceOf(error));
    else toasts.success(`${name} was signed out`);
  }

  async function askAdministrator() {
    const question = isAdministrator
      ? `${name} no longer sees this screen. The account and its data stay.`
      : `${name} will see this screen and can change plans, sign out and delete accounts, and make others administrators.`;
    if (!(await confirm(isAdministrator ? 'Remove administrator rights' : 'Make administrator', question)))
      return;
    const { error } = await setAdministrator({ id, isAdministrator: !isAdministrator });
    if (error) toasts.error(sentenceOf(error));
    else
      toasts.success(
        isAdministrator ? `${name} is no longer an administrator` : `${name} is an administrator now`,
      );
  }

  return (
    <>
      {isAdministrator && (
        <p id={reasonId} className="w-full text-12 text-ink-3">
          To delete this account, remove its administrator rights first.
        </p>
      )}
      <Button
        variant="danger"
        className="max-sm:flex-1 sm:mr-auto"
        disabled={isAdministrator}
        aria-describedby={isAdministrator ? reasonId : undefined}
        onClick={onDelete}
      >
        Delete account
      </Button>
      <Button
        className="max-sm:flex-1"
        busy={signingOut.isLoading}
        disabled={signingOut.isLoading}
        onClick={() => void askSignOut()}
      >
        Sign out everywhere
      </Button>
      <Button
        className="max-sm:flex-1"
        busy={setting.isLoading}
        disabled={setting.isLoading}
        onClick={() => void askAdministrator()}
      >
        {isAdministrator ? 'Remove administrator rights' : 'Make administrator'}
      </Button>
    </>
  );
}
