import type { AdminAction, AuditEntry } from '@datadeck/contract';

/** What was done, in words; the account or what belongs to the server follows. */
export const ACTION_WORDS: Record<AdminAction, string> = {
  'plan-changed': 'changed the plan of',
  'address-verified': 'verified the address of',
  'signed-out': 'signed out',
  'account-deleted': 'deleted',
  'administrator-granted': 'gave administrator rights to',
  'administrator-revoked': 'removed administrator rights from',
  'link-created': 'printed a sign-in link for',
  'token-created': 'created an API token for',
  'token-revoked': 'revoked an API token of',
  'sql-role-created': 'created an SQL role for',
  'sql-role-revoked': 'revoked an SQL role of',
  'connector-edited': 'edited the connector',
  'connector-discarded': 'discarded the draft of the connector',
  'connector-published': 'published the connector',
  'connector-restored': 'restored the connector',
  'connector-withdrawn': 'withdrew the connector',
  'connector-offered': 'resumed offering the connector',
  'connector-deleted': 'deleted the connector',
  'connector-client-changed': 'changed the OAuth client of the connector',
  'connector-tried': 'tried the connector',
};

/** An account of the log. */
export type AuditedAccount = NonNullable<AuditEntry['account']>;

/** Returns the name of an account of the log; the beginning of its id if it was deleted. */
export function accountName({ _id, name }: AuditedAccount): string {
  return name ?? `account ${_id.slice(0, 8)}`;
}

/** Returns what distinguishes an account from others of its name: its address or the beginning of its id; nothing once deleted. */
export function accountMark({ _id, name, email }: AuditedAccount): string | undefined {
  if (name === undefined) return undefined;
  return email || _id.slice(0, 8);
}

/** Who acted: an account, which chooses its own name, a command of `datadeck`, or Datadeck itself. */
export const ACTOR_TITLES: Record<AuditEntry['actor'], string> = {
  account: 'Account',
  shell: 'Shell',
  server: 'Datadeck',
};
