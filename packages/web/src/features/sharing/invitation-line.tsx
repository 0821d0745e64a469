import type { Invitation } from '@datadeck/contract';
import { sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { Age, DateTime } from '../../ui/date-time.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useTakeBackInvitationMutation } from '../invitations/invitations-api.ts';
import { Person } from '../invitations/person.tsx';
import { fixedValuesOf } from './link-words.ts';

/** A person who has accepted an invitation, or an invitation that nobody has accepted yet. */
export function InvitationLine({ invitation }: { invitation: Invitation }) {
  const { _id: id, member, createdAt, expiresAt, acceptedAt } = invitation;
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [takeBack, { isLoading }] = useTakeBackInvitationMutation();
  const values = fixedValuesOf(invitation);

  async function end() {
    if (member) {
      const question = `${member.name} loses access at once, also on pages that are open. Copies stay.`;
      if (!(await confirmDeletion(`Take back from ${member.name}`, question))) return;
    }
    const { error } = await takeBack(id);
    if (error) toasts.error(sentenceOf(error));
    else toasts.success(member ? `${member.name} has no access any more` : 'The invitation was taken back');
  }

  return (
    <li className="flex items-center gap-3 border-b py-3 first:pt-0 last:border-b-0 last:pb-0">
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className="wrap-anywhere text-13 text-ink-2">
          {member ? <Person person={member} /> : <span className="font-medium text-ink">Nobody yet</span>}
        </p>
        {values !== undefined && <p className="wrap-anywhere font-mono text-12 text-ink-2">{values}</p>}
        <p className="text-12 text-ink-3">
          {member && acceptedAt !== null ? (
            <>
              Accepted <Age iso={acceptedAt} />
            </>
          ) : (
            <>
              Invited <Age iso={createdAt} /> · Can be accepted until{' '}
              <DateTime iso={expiresAt} className="tabular-nums" />
            </>
          )}
        </p>
      </div>
      <Button
        size="sm"
        variant="danger"
        aria-label={member ? `Take back from ${member.name}` : 'Take back the invitation'}
        busy={isLoading}
        disabled={!mayChange || isLoading}
        title={forbidden}
        onClick={() => void end()}
      >
        Take back
      </Button>
    </li>
  );
}
