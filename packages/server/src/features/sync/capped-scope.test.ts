import type { EntityDefinition } from '@datadeck/connectors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertRun, takeOver } from '../../../test-support/started-run.ts';
import { prepareTestEntity, TEST_ENTITY, testRecord } from '../../../test-support/test-entity.ts';
import { startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import type { Context } from '../../platform/context/index.ts';
import { commitCompletion, ScopeNeedsFullRun } from './commit.ts';
import { PageCommits } from './page-commits.ts';

const CAP = 2;
const clientUsage = { requests: 1, units: 1, waitedMs: 0 };
let server: TestServer;
let context: Context;

beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
  context = server.product.context;
  await prepareTestEntity(context.db);
});
afterAll(() => server?.remove());

interface Reading {
  userId: string;
  number: number;
  scope: string;
  startCursor?: object;
  lists: string[];
  removed?: string[];
  truncated: boolean;
}

/** Commits a run of one page. @throws ScopeNeedsFullRun */
async function commitRun({ lists, removed = [], truncated, ...about }: Reading): Promise<void> {
  const { claim, run } = await takeOver(context, await insertRun(context, { ...about, cap: CAP }));
  const commits = new PageCommits(context, claim, run);
  const records = lists.map((name) =>
    testRecord({ id: name, occurredAt: new Date(1000 * Number(name)), data: { name } }),
  );
  await commits.add({ records, removed, checkpoint: 1, clientUsage, entity: TEST_ENTITY });
  await commits.settle();
  const entity = TEST_ENTITY as EntityDefinition;
  const completion = { cursor: { until: about.number }, truncated, clientUsage, entity };
  await commitCompletion(context, claim, commits.run, completion);
}

/** A scope that its cap has cut to the records 3 and 2, and another one. @returns its user */
async function cutScope(other: string[]): Promise<string> {
  const userId = crypto.randomUUID();
  await commitRun({ userId, number: 1, scope: 'a', lists: ['3', '2'], truncated: true });
  await commitRun({ userId, number: 2, scope: 'b', lists: other, truncated: false });
  return userId;
}

describe('a scope that its cap has cut', () => {
  const changes = { number: 3, scope: 'a', startCursor: { until: 1 }, lists: [], truncated: false };

  it.each<[string, string[]]>([
    ['no other scope has', []],
    ['another scope keeps', ['3']],
  ])('is read in full when a record is removed that %s', async (_, other) => {
    const run = commitRun({ ...changes, userId: await cutScope(other), removed: ['3'] });
    await expect(run).rejects.toBeInstanceOf(ScopeNeedsFullRun);
  });

  it.each<[string, string[]]>([
    ['none', []],
    ['one that it does not have', ['4']],
    ['one of another scope alone', ['5']],
  ])('is not read in full when of records %s is removed', async (_, removed) => {
    const run = commitRun({ ...changes, userId: await cutScope(['5']), removed });
    await expect(run).resolves.toBeUndefined();
  });
});
