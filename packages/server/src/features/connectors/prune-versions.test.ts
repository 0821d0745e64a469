import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import type { TestServer } from '../../../test-support/test-server.ts';
import { ticketDocument } from '../../../test-support/ticket-service.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { pruneVersions } from './prune-versions.ts';

let server: TestServer;

beforeAll(async () => {
  server = await shareServer();
});
afterAll(async () => {
  await server?.remove();
});

const query = async (text: string, values: unknown[] = []) =>
  (await server.product.context.db.$client.query(text, values)).rows;

/** Stores a version of the connector with these entities. */
async function store(version: number, ids: string[]): Promise<void> {
  const [entity] = ticketDocument('https://desk.example.com').entities as object[];
  const entities = ids.map((id) => ({ ...entity, id: `old-${id}` }));
  await query(
    `insert into connector_versions (connector_key, version, document, stored_names, published_by)
      values ('old', $1, $2, '{}', gen_random_uuid())`,
    [version, JSON.stringify({ entities })],
  );
}

describe('old versions of a connector', () => {
  it('go with the empty tables that only they name; one that names a table with records stays', async () => {
    await store(1, ['empty', 'current']);
    await store(2, ['full', 'current']);
    await store(3, ['full', 'current']);
    await store(4, ['current', 'other']);
    await store(5, ['current']);
    for (const table of ['old_empty', 'old_full', 'old_current', 'old_other']) {
      await query(`create table ${table} (id text)`);
      await query(`comment on table ${table} is 'Records of a synchronised entity'`);
    }
    await query(`insert into old_full values ('1')`);
    const client = await server.product.context.db.$client.connect();
    await inTransaction(client, () => pruneVersions(client, 'old', 4)).finally(() => client.release());
    const versions = await query(
      `select version from connector_versions where connector_key = 'old' order by 1`,
    );
    expect(versions.map(({ version }) => version)).toEqual([3, 4, 5]);
    const tables = await query(
      `select relname as name from pg_class where relname like 'old\\_%' and relkind = 'r' order by 1`,
    );
    expect(tables.map(({ name }) => name)).toEqual(['old_current', 'old_full', 'old_other']);
    await query(`delete from connector_versions where connector_key = 'old'`);
    await query('drop table old_full, old_current, old_other');
  });
});
