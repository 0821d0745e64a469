import type { Account } from '@datadeck/contract';
import { toasts } from '../../ui/toast.tsx';
import { accountName } from './account-name.ts';

/** Says that an account was connected, or that it was connected before. @param accounts the accounts with their names */
export function announceAccount(
  { account, isKnown }: { account: string; isKnown: boolean },
  accounts: readonly Account[],
): void {
  const known = accounts.find((one) => one.account === account);
  const name = known ? accountName(known) : account;
  toasts.success(isKnown ? `${name} is connected already. Its access was renewed.` : `${name} is connected.`);
}
