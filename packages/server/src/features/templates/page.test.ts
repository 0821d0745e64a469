import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { TEST_ENTITY } from '../../../test-support/test-entity.ts';
import { recordSetOf } from '../records/index.ts';
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

it('reads the rows of one page, however many other users there are', async () => {
  const { db, close } = await openTestDatabase();
  try {
    await db.execute(sql`
      insert into test_things (user_id, connection_id, id, scopes, occurred_at, hash, extraction, created_sync, changed_sync, data)
      select user_id, connection_id, i::text, '{}', now(), '', 1, user_id, user_id, '{}'
      from (select gen_random_uuid() as user_id, gen_random_uuid() as connection_id from generate_series(1, ${USERS})) u,
        generate_series(1, ${RECORDS}) i`);
    await db.execute(sql`analyze test_things`);
    const { rows: sources } = await db.execute<{ userId: string; connectionId: string }>(
      sql`select user_id as "userId", connection_id as "connectionId" from test_things limit 1`,
    );
    const { userId = '', connectionId = '' } = sources[0] ?? {};
    const set = recordSetOf(userId, TEST_ENTITY, [{ connectionId, account: 'ada' }]);
    const template = { orderBy: ['occurred_at', 'id'].map((by) => ({ by, descending: true as const })) };
    const select = selectDocuments(set, { template, page: 1, count: RECORDS });

    const { rows } = await db.execute<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      sql`explain (analyze, format json) ${select}`,
    );

    const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
    expect(plan && countRows(plan.Plan)).toBe(2 * 20);
  } finally {
    await close();
  }
});
