import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openMortalDatabase } from '../../../test-support/mortal-database.ts';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync, startSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { deleteRecords } from '../deletion/index.ts';
import { backfill, dataVersion, tableOf } from './index.ts';

const SEED = Number(process.env.SEED ?? Date.now() % 100_000);
const SYNCED = [
  ['gh-pulls', { owner: 'aurora-labs', repo: 'harbor' }],
  ['gmail-messages', { labelIds: 'INBOX' }],
] as const;
let server: TestServer;
let ada: Client;
let last: string;
let before: unknown;

const execute = async (statement: SQL) => (await server.product.context.db.execute(statement)).rows;

async function stored(): Promise<unknown> {
  const tables = SYNCED.map(([entity]) => execute(sql`select * from ${tableOf({ entity })} order by id`));
  const undo = execute(sql`
    select u.sync_id, r.* from record_undo u, json_populate_record(null::gh_pulls, u.row) r order by 1, r.id`);
  return { tables: await Promise.all(tables), undo: await undo };
}

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await ada.connect('google', 'ada.nowak@sandbox.example');
  for (const [entity, settings] of SYNCED) await runSync(ada, entity, settings);
  server.control.github.insertPull('aurora-labs/harbor');
  for (const number of server.control.github.pullNumbers('aurora-labs/harbor').slice(0, 70))
    server.control.github.changePull('aurora-labs/harbor', number, { title: `Renamed ${number}` });
  ({ _id: last } = await runSync(ada, ...SYNCED[0]));
  before = await stored();
});
afterAll(() => server?.remove());

/** Selects the columns of a legacy row from a row `r` of an entity's table. The author is a part shared by documents. */
const legacyColumns = (entity: string) => sql`
  r.user_id, r.connection_id, ${entity}, r.id, r.scopes, r.occurred_at, r.hash,
  json_build_object('repository', to_jsonb(r)->>'repository'), 1,
  case when r.data->'user' is null then r.data::text else replace(r.data::text, (r.data->'user')::text, chr(1) || 'A') end,
  case when r.data->'user' is null then null else array[md5((r.data->'user')::text)] end, r.created_sync, r.changed_sync`;
const NAMES = sql.raw(
  'user_id, connection_id, entity, external_id, scopes, occurred_at, hash, facets, facets_version, data, parts, created_sync, changed_sync',
);

/** Converts the stored records to the format of an earlier version. */
beforeEach(async () => {
  for (const [entity] of SYNCED) {
    const table = tableOf({ entity });
    await execute(sql`insert into legacy_records (${NAMES}) select ${legacyColumns(entity)} from ${table} r`);
    await execute(sql`
      insert into legacy_record_parts (user_id, connection_id, entity, hash, text)
      select distinct r.user_id, r.connection_id, ${entity}, md5((r.data->'user')::text), (r.data->'user')::text
      from (select user_id, connection_id, data from ${table} union all
        select p.user_id, p.connection_id, p.data from record_undo u, json_populate_record(null::${table}, u.row) p where u.entity = ${entity}) r
      where r.data->'user' is not null on conflict do nothing`);
    await execute(sql`
      insert into legacy_record_undo (sync_id, ${NAMES}) select u.sync_id, ${legacyColumns(entity)}
      from record_undo u, json_populate_record(null::${table}, u.row) r where u.entity = ${entity}`);
    await execute(sql`delete from ${table}`);
  }
  await execute(sql`delete from record_undo`);
  await execute(sql`update record_versions set records = 0, extraction = 0`);
});

describe('backfill', () => {
  it(`moves all legacy records when killed at random statements, seed ${SEED}`, async () => {
    const random = seededRandom(SEED);
    const { context, registry } = server.product;
    const entities = registry.all().flatMap((connector) => connector.entities);
    for (let deaths = 0; deaths < 8; deaths++) {
      const death = { afterStatements: 1 + Math.floor(random() * 30), isStatementSent: random() < 0.5 };
      const mortal = openMortalDatabase(context.db.$client.options, death);
      await backfill(mortal, entities).catch(() => undefined);
      mortal.kill();
    }
    await backfill(context.db, entities);

    expect(await stored()).toEqual(before);
    for (const [entity] of SYNCED) {
      const [counted] = await execute(sql`
      select user_id, connection_id, count(*)::int as records from ${tableOf({ entity })} group by 1, 2`);
      const { user_id: userId, connection_id: connectionId, records } = counted ?? {};
      const source = { userId: String(userId), connectionId: String(connectionId), entity };
      expect((await dataVersion(context.db, source)).records).toBe(records);
    }
  }, 60_000);

  it('delays syncs and their undo until it has moved the records', async () => {
    const { context, registry } = server.product;
    const refused = await ada.call('DELETE', `/api/integrations/synchronizations/${last}`);
    const { _id } = await startSync(ada, ...SYNCED[0]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await execute(sql`select phase from syncs where id = ${_id}`)).toEqual([{ phase: 'queued' }]);

    await backfill(
      context.db,
      registry.all().flatMap((connector) => connector.entities),
    );

    expect(refused.status).toBe(503);
    await expect
      .poll(async () => await execute(sql`select status from syncs where id = ${_id}`), { timeout: 20_000 })
      .toEqual([{ status: 'finished' }]);
  }, 40_000);

  it('stores a record that PostgreSQL refuses without its columns', async () => {
    const { context, registry } = server.product;
    const entities = registry.all().flatMap((connector) => connector.entities);
    // A stand-in for any constraint or trigger that refuses what is extracted from one record.
    await execute(
      sql`alter table gh_pulls add constraint refused check (title not like 'Renamed %' or id not like '%3')`,
    );
    try {
      await backfill(context.db, entities);
    } finally {
      await execute(sql`alter table gh_pulls drop constraint refused`);
    }
    const [counted] = await execute(sql`
      select count(*)::int as records, count(*) filter (where title is null)::int as bare, count(*) filter (where data->>'title' is null)::int as empty
      from gh_pulls`);
    const { tables } = before as { tables: unknown[][] };
    expect(counted).toMatchObject({ records: tables[0]?.length, empty: 0 });
    expect(counted?.bare).toBeGreaterThan(0);
    expect(await execute(sql`select from legacy_records limit 1`)).toEqual([]);
  });

  it('leaves no rows when it runs during a deletion', async () => {
    const { context, registry } = server.product;
    const entities = registry.all().flatMap((connector) => connector.entities);
    const [user] = await execute(sql`select user_id from legacy_records limit 1`);
    const accountId = String(user?.user_id);
    await deleteRecords(context.db, { accountId, connectionId: null }, async () => {
      await backfill(context.db, entities);
      return true;
    });
    for (const table of ['gh_pulls', 'gmail_messages', 'legacy_records', 'record_undo', 'record_versions'])
      expect(await execute(sql`select 1 from ${sql.identifier(table)} limit 1`), table).toEqual([]);
  });
});
