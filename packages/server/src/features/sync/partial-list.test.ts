import type { Completion, EntityDefinition } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertRun, takeOver } from '../../../test-support/started-run.ts';
import { prepareTestEntity, TEST_ENTITY, testRecord } from '../../../test-support/test-entity.ts';
import { startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import type { Context } from '../../platform/context/index.ts';
import { commitCompletion } from './commit.ts';
import { PageCommits } from './page-commits.ts';
import { syncs } from './tables.ts';

const clientUsage = { requests: 1, units: 1, waitedMs: 0 };
let server: TestServer;
let context: Context;

beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
  context = server.product.context;
  await prepareTestEntity(context.db);
});
afterAll(() => server?.remove());

interface FullRun extends Pick<Completion, 'isListPartial'> {
  number: number;
  lists: string[];
  cap?: number;
}

/** Commits a full run of a user that lists records, newest first. @returns its receipt */
async function commitFullRun(userId: string, { number, lists, cap = 1000, ...rest }: FullRun) {
  const { claim, run } = await takeOver(context, await insertRun(context, { userId, number, cap }));
  const commits = new PageCommits(context, claim, run);
  const records = lists.map((name) =>
    testRecord({ id: name, occurredAt: new Date(1000 * Number(name)), data: { name } }),
  );
  await commits.add({ records, checkpoint: 1, clientUsage, entity: TEST_ENTITY });
  await commits.settle();
  const entity = TEST_ENTITY as EntityDefinition;
  const completion = { cursor: { until: number }, truncated: false, clientUsage, entity, ...rest };
  await commitCompletion(context, claim, commits.run, completion);
  const [ended] = await context.db.select().from(syncs).where(sql`id = ${run.id}`);
  return ended?.summary;
}

async function storedIds(userId: string): Promise<unknown[]> {
  const { rows } = await context.db.execute(
    sql`select id from test_things where user_id = ${userId} and cardinality(scopes) > 0 order by id`,
  );
  return rows.map(({ id }) => id);
}

describe('a full run whose list is partial', () => {
  it.each<[string, string[]]>([
    ['some of the records', ['3', '1']],
    ['other records', ['5', '4']],
    ['nothing', []],
  ])('removes nothing when it lists %s', async (_, lists) => {
    const userId = crypto.randomUUID();
    await commitFullRun(userId, { number: 1, lists: ['3', '2', '1'] });
    const summary = await commitFullRun(userId, { number: 2, lists, isListPartial: true });
    const all = [...new Set(['1', '2', '3', ...lists])].sort();
    expect(await storedIds(userId)).toEqual(all);
    expect(summary).toMatchObject({ removed: 0, entitiesSynced: all.length, incremental: false });

    // The next complete list removes what it lacks.
    expect(await commitFullRun(userId, { number: 3, lists: ['2'] })).toMatchObject({
      removed: all.length - 1,
      entitiesSynced: 1,
    });
    expect(await storedIds(userId)).toEqual(['2']);
  });

  it('keeps the newest records within the cap', async () => {
    const userId = crypto.randomUUID();
    await commitFullRun(userId, { number: 1, lists: ['3', '2', '1'], cap: 3 });
    await commitFullRun(userId, { number: 2, lists: ['5', '4'], cap: 3, isListPartial: true });
    expect(await storedIds(userId)).toEqual(['3', '4', '5']);
  });
});
