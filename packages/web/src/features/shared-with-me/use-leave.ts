import type { SharedWithMe } from '@datadeck/contract';
import { sentenceOf } from '../../api/failure.ts';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useLeaveSharedMutation } from '../invitations/invitations-api.ts';

/** Returns what leaves something that is shared with the user, after a question. Resolves to whether the user has left. */
export function useLeave(): [leave: (shared: SharedWithMe) => Promise<boolean>, isLeaving: boolean] {
  const [leaveShared, { isLoading }] = useLeaveSharedMutation();
  async function leave({ _id, title, owner }: SharedWithMe): Promise<boolean> {
    const question = `You can then read it only if ${owner.name} invites you again. Copies that you made stay.`;
    if (!(await confirmDeletion(`Leave ‘${title}’`, question))) return false;
    const { error } = await leaveShared(_id);
    if (error) toasts.error(sentenceOf(error));
    else toasts.success(`You have left ‘${title}’`);
    return error === undefined;
  }
  return [leave, isLoading];
}
