import type { Account } from '@datadeck/contract';
import type { Provider } from '../../api/models.ts';

/** Returns the name that the user gave to an account, else its name at the provider. */
export function accountName({ title, account }: Pick<Account, 'title' | 'account'>): string {
  return title || account;
}

/** Returns the accounts of a provider whose records are shown. */
export function shownAccounts({ accounts }: Pick<Provider, 'accounts'>): Account[] {
  return accounts.filter(({ isShown }) => isShown);
}

/** Returns what names an account on screen; undefined if it is the only one whose records the provider shows. */
export function accountLabel(provider: Provider | undefined, account: string): string | undefined {
  const [first, ...others] = provider ? shownAccounts(provider) : [];
  if (!first || (others.length === 0 && first.account === account)) return undefined;
  const found = provider?.accounts.find((one) => one.account === account);
  return found ? accountName(found) : account;
}
