import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { TEST_ENTITY } from '../../../test-support/test-entity.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { type RecordSet, recordSetOf } from '../records/index.ts';
import { selectDocuments } from './page.ts';

const USERS = 300;
const RECORDS = 200;

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Counts the rows that a plan reads from tables and indexes. */
function countRows(node: PlanNode): number {
  const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  const own = node['Relation Name'] === undefined ? 0 : rows * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, child) => sum + countRows(child), own);
}

const template = { orderBy: ['occurred_at', 'id'].map((by) => ({ by, descending: true as const })) };

/** Stores records of 300 users with so many accounts each. @returns one of the users, with the accounts */
async function fill(db: Database, accounts: number): Promise<Pick<RecordSet, 'userId' | 'accounts'>> {
  await db.execute(sql`
    with users as materialized (select gen_random_uuid() as user_id from generate_series(1, ${USERS})),
      accounts as materialized (select user_id, gen_random_uuid() as connection_id from users, generate_series(1, ${accounts}))
    insert into test_things (user_id, connection_id, id, scopes, occurred_at, hash, extraction, created_sync, changed_sync, data)
    select user_id, connection_id, i::text, '{}', now(), '', 1, user_id, user_id, '{}'
    from accounts, generate_series(1, ${RECORDS}) i`);
  await db.execute(sql`vacuum analyze test_things`);
  const { rows } = await db.execute<{ userId: string; connectionIds: string[] }>(sql`
    select user_id as "userId", array_agg(distinct connection_id::text) as "connectionIds" from test_things group by 1 limit 1`);
  const { userId = '', connectionIds = [] } = rows[0] ?? {};
  return { userId, accounts: connectionIds.map((connectionId) => ({ connectionId, account: connectionId })) };
}

/** Counts the rows that the first page reads. */
async function countOfPage(db: Queryable, set: RecordSet): Promise<number | undefined> {
  const count = RECORDS * set.accounts.length;
  const { rows } = await db.execute<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    sql`explain (analyze, format json) ${selectDocuments(set, { template, page: 1, count })}`,
  );
  const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
  return plan && countRows(plan.Plan);
}

it('reads the rows of one page, however many other users there are', async () => {
  const { db, close } = await openTestDatabase();
  try {
    const { userId, accounts } = await fill(db, 1);
    expect(await countOfPage(db, recordSetOf(userId, TEST_ENTITY, accounts))).toBe(2 * 20);
  } finally {
    await close();
  }
});

it('reads few rows of each of several accounts', async () => {
  const { db, close } = await openTestDatabase();
  try {
    const { userId, accounts } = await fill(db, 5);
    const set = recordSetOf(userId, TEST_ENTITY, accounts);
    const read = await db.transaction(async (tx) => {
      // As for a large table, for which the planner would rather read all rows with several workers.
      for (const cost of ['parallel_setup_cost', 'parallel_tuple_cost', 'min_parallel_index_scan_size'])
        await tx.execute(sql.raw(`set local ${cost} = 0`));
      await tx.execute(sql`set local enable_sort = off`);
      return countOfPage(tx, set);
    });
    expect(read).toBeLessThan(5 * 20 * 2);
  } finally {
    await close();
  }
});
