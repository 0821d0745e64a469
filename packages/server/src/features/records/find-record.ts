import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { accountOf, accountsOf, copyRank, isRecordIn, type RecordSet } from './record-set.ts';
import { tableOf } from './record-table.ts';

/** Where a record of a set is stored: its newest copy, and all accounts that have it. */
export interface FoundRecord {
  connectionId: string;
  account: string;
  /** Undefined for an entity whose ids are per account. */
  accounts: string[] | undefined;
}

/**
 * Finds a record by its id. Where ids are per account, several accounts may have it: the one that was connected first is
 * returned. @returns undefined for an unknown id
 */
export async function findRecord(
  db: Queryable,
  set: RecordSet,
  id: string,
): Promise<FoundRecord | undefined> {
  const { rows } = await db.execute<{ connection_id: string; account: string; accounts: string[] }>(sql`
    select r.connection_id, ${accountOf(set)} as account, ${accountsOf(set)} as accounts
    from ${tableOf(set)} r where ${isRecordIn(set)} and r.id = ${id} order by ${copyRank(set, 'r')} desc`);
  const [first] = set.accounts.flatMap(({ connectionId }) =>
    rows.filter((row) => row.connection_id === connectionId),
  );
  if (!first) return undefined;
  const { connection_id: connectionId, account, accounts } = first;
  return { connectionId, account, accounts: set.globalIds ? accounts : undefined };
}
