import type { AdminAccount } from '@datadeck/contract';
import { Badge } from '../../ui/badge.tsx';
import { PLAN_TONES, planTitle } from './account-words.ts';

/** The plan of an account, and whether it is an administrator. */
export function AccountBadges({ account }: { account: AdminAccount }) {
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={PLAN_TONES[account.status]}>{planTitle(account.status)}</Badge>
      {account.isAdministrator && <Badge tone="accent">Administrator</Badge>}
    </span>
  );
}
