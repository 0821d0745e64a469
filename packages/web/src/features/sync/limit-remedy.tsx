import { planCommand } from '@datadeck/contract';
import { useUser } from '../sign-in/use-user.ts';

/** Says how the administrator raises a limit of the user's plan, with the command to copy. */
export function LimitRemedy() {
  const { data: user } = useUser();
  if (!user) return null;
  const { _id: id, email, status: plan, isUnverified = false } = user;
  const command = planCommand({ id, email, emailVerified: !isUnverified, plan });
  return (
    <span>
      The administrator can raise this:{' '}
      {command !== undefined && (
        <>
          <code className="font-mono text-12 wrap-anywhere">{command}</code>, or{' '}
        </>
      )}
      <code className="font-mono text-12">PLAN_LIMITS</code>.
    </span>
  );
}
