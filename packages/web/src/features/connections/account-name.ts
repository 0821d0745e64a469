import type { Account } from '@datadeck/contract';

/** Returns the name that the user gave to an account, else its name at the provider. */
export function accountName({ title, account }: Pick<Account, 'title' | 'account'>): string {
  return title || account;
}
