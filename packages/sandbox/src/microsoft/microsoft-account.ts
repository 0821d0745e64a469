/** The tenant of personal accounts, the same in every installation. */
export const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad';

/** An account of the sandbox. Addresses can change, the ids of tenant and object cannot. */
export interface MicrosoftAccount {
  tenant: string;
  object: string;
  address: string;
  name: string;
}

/** Returns the name of an account in tokens and forms. */
export function subjectOf({ tenant, object }: MicrosoftAccount): string {
  return `${tenant}/${object}`;
}

/** Returns whether an account may sign in at a tenant: one of several, `common`, `organizations`, `consumers`, or its own. */
export function belongsTo(account: MicrosoftAccount, tenant: string): boolean {
  if (tenant === 'common') return true;
  if (tenant === 'organizations') return account.tenant !== CONSUMERS;
  if (tenant === 'consumers') return account.tenant === CONSUMERS;
  return tenant === account.tenant || tenant === domainOf(account);
}

/** Returns the domain of an account's address, which also names its tenant. */
export function domainOf({ address }: MicrosoftAccount): string {
  return address.slice(address.indexOf('@') + 1);
}
