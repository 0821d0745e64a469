import type { AdminAction, AuditEntry } from '@datadeck/contract';

/** What was done, in words; the account follows. */
export const ACTION_WORDS: Record<AdminAction, string> = {
  'plan-changed': 'changed the plan of',
  'address-verified': 'verified the address of',
  'signed-out': 'signed out',
  'account-deleted': 'deleted',
  'administrator-granted': 'made an administrator:',
  'administrator-revoked': 'ended the administrator',
  'link-created': 'printed a sign-in link for',
  'token-created': 'created an API token of',
  'token-revoked': 'revoked an API token of',
  'sql-role-created': 'created an SQL role of',
  'sql-role-revoked': 'revoked an SQL role of',
};

/** Returns the name of an account of the log; the beginning of its id if it was deleted. */
export function accountName({ _id, name }: AuditEntry['account']): string {
  return name ?? `account ${_id.slice(0, 8)}`;
}

/** Returns who did it. */
export function actorName({ actor, by }: AuditEntry): string {
  if (actor === 'shell') return 'The shell';
  return by === null ? 'Datadeck' : accountName(by);
}
