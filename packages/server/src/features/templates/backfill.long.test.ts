import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobsOf } from '../../../test-support/jobs.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync, until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { tableOf } from '../records/index.ts';
import { BACKFILL_QUEUE } from '../sync/index.ts';
import { listTemplates } from './catalogue.ts';

let server: TestServer;
let ada: Client;
/** Ada's id. Rows of the accounts of earlier test files may still be there while they are deleted. */
let userId: unknown;
let prepared: Record<string, unknown>[];

const SYNCED = [
  ['gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' }],
  ['gmail-messages', { labelIds: 'INBOX' }],
  ['gmail-labels', {}],
] as const;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  [{ id: userId } = { id: undefined }] = await execute(sql`select id from users`);
  await ada.connect('github', 'ada-nowak');
  await ada.connect('google', 'ada.nowak@sandbox.example');
  for (const [entity, settings] of SYNCED) await runSync(ada, entity, settings);
  prepared = await stored();
});
afterAll(() => server?.remove());

const execute = async (statement: SQL) => (await server.product.context.db.execute(statement)).rows;

async function stored(): Promise<Record<string, unknown>[]> {
  const rows = SYNCED.map(([entity]) =>
    execute(sql`select * from ${tableOf({ entity })} where user_id = ${userId} order by connection_id, id`),
  );
  return (await Promise.all(rows)).flat();
}

/** Makes rows look like those of an older extraction: every declared column except the repository is empty. */
beforeEach(async () => {
  await until(async () => (await jobsOf(server, BACKFILL_QUEUE.name)).length === 0);
  const { registry } = server.product;
  for (const [id] of SYNCED) {
    const { table } = registry.entity(registry.providerOf(id).key, id);
    const columns = Object.keys(table.columns).filter((name) => name !== 'repository');
    const empty = columns.map((name) => sql`${sql.identifier(name)} = null`);
    const values = sql.join([sql`extraction = 0`, ...empty], sql`, `);
    await execute(sql`update ${tableOf({ entity: id })} set ${values} where user_id = ${userId}`);
  }
  await execute(
    sql`update record_versions set extraction = 0, version = version + 1 where user_id = ${userId}`,
  );
});

describe('a page of a template', () => {
  it('waits for the backfill of its records', async () => {
    const { registry } = server.product;
    const templates = SYNCED.flatMap(([entity]) =>
      listTemplates(registry, registry.providerOf(entity).key, entity),
    );
    expect(templates.length).toBeGreaterThan(10);
    const pages = templates.map(async ({ entryCollection, templateKey }) => {
      const path = `/api/integrations/entities/aggregation/${entryCollection}/${templateKey}?page=1`;
      return { templateKey, status: (await ada.call('GET', path)).status };
    });
    await server.product.context.jobs.send(BACKFILL_QUEUE.name, {}, { singletonKey: 'all' });
    for (const page of await Promise.all(pages)) expect(page).toMatchObject({ status: 200 });
    expect(await stored()).toEqual(prepared);
  });

  it('returns 503 while its records wait for a backfill', async () => {
    const path = '/api/integrations/entities/aggregation/gh-pulls/pulls-by-author?page=1';
    const answer = await server.product.context.db.transaction(async (tx) => {
      // A backfill that begins now waits.
      await tx.execute(sql`select 1 from ${tableOf({ entity: 'gh-pulls' })} for update`);
      return ada.call('GET', path);
    });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: { code: 'unavailable' } });
  }, 30_000);
});

describe('a full sync', () => {
  it('extracts columns again without counting the records as changed', async () => {
    await execute(sql`delete from sync_cursors where user_id = ${userId}`);
    for (const [entity, settings] of SYNCED) {
      const { summary } = await runSync(ada, entity, settings);
      expect(summary).toMatchObject({ incremental: false, added: 0, updated: 0, removed: 0 });
    }
    expect(await stored()).toEqual(prepared);
    expect(await execute(sql`select 1 from record_undo where user_id = ${userId}`)).toEqual([]);
  });
});
