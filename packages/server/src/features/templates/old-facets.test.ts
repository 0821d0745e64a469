import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { refreshFacets } from '../../app/facets-refresh.ts';
import { runSync } from '../../testing/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../testing/test-server.ts';
import { listTemplates } from './page.ts';

let server: TestServer;
let ada: Client;
let sound: Record<string, unknown>[];

const SYNCED = [
  ['gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' }],
  ['gmail-messages', { labelIds: 'INBOX' }],
  ['gmail-labels', {}],
] as const;

beforeAll(async () => {
  server = await startTestServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await ada.connect('google', 'ada.nowak@sandbox.example');
  for (const [entity, settings] of SYNCED) await runSync(ada, entity, settings);
  sound = await facets();
});
afterAll(() => server?.remove());

async function facets(): Promise<Record<string, unknown>[]> {
  const { rows } = await server.product.context.db.execute(
    sql`select entity, external_id, facets, facets_version from records order by entity, external_id`,
  );
  return rows;
}

/** As an older extraction might have left them: every field is of another kind. */
beforeEach(async () => {
  const { db } = server.product.context;
  await db.execute(sql`
    update records set facets_version = 0,
      facets = (select jsonb_object_agg(key, case when key = 'repository' then value when jsonb_typeof(value) = 'array' then '"none"' else '"someday"' end)
        from jsonb_each(facets))`);
  await db.execute(sql`update record_versions set facets_version = 0, version = version + 1`);
});

test('templates do not fail on facets of an older extraction', async () => {
  const { registry } = server.product;
  const templates = SYNCED.flatMap(([entity]) =>
    listTemplates(registry, registry.providerOf(entity).key, entity),
  );
  expect(templates.length).toBeGreaterThan(10);
  for (const { entryCollection, templateKey } of templates) {
    const path = `/api/integrations/entities/aggregation/${entryCollection}/${templateKey}?page=1`;
    expect([(await ada.call('GET', path)).status, templateKey]).toEqual([200, templateKey]);
  }
});

test('facets of an older version are extracted again from the stored documents', async () => {
  expect(await facets()).not.toEqual(sound);
  await refreshFacets(server.product);
  expect(await facets()).toEqual(sound);
});

test('a full sync heals facets without counting the records as changed', async () => {
  await server.product.context.db.execute(sql`delete from sync_cursors`);
  for (const [entity, settings] of SYNCED) {
    const { summary } = await runSync(ada, entity, settings);
    expect(summary).toMatchObject({ incremental: false, added: 0, updated: 0, removed: 0 });
  }
  expect(await facets()).toEqual(sound);
  const { rows } = await server.product.context.db.execute(sql`select 1 from record_undo`);
  expect(rows).toEqual([]);
});
