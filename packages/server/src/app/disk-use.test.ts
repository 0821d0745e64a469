import type { DiskUse } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSync } from '../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';

const HARBOR = { owner: 'aurora-labs', repo: 'harbor' };

let server: TestServer;
let ada: Client;
let ben: Client;

beforeAll(async () => {
  server = await startTestServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  ben = await new Client(server).signIn('jonas.weber@sandbox.example');
  await ada.connect('google', 'ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
});
afterAll(() => server?.remove());

const diskUse = (client: Client) => client.get<DiskUse>('/api/accounts/disk-use');

/** Returns the size that the metrics export for an entity, in bytes. */
async function exportedBytes(entity: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const series = `datadeck_entity_disk_bytes{entity="${entity}"} `;
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(series))
      ?.slice(series.length),
  );
}

describe('the disk use of an account', () => {
  it('is empty without records', async () => {
    expect((await diskUse(ada)).entities).toEqual([]);
  });

  it('is about what the table takes, for the user who stored the records alone', async () => {
    const { summary } = await runSync(ada, 'gh-pulls', HARBOR);
    await runSync(ada, 'gmail-labels');
    const { entities } = await diskUse(ada);
    expect(entities.map(({ title }) => title)).toEqual(['Pull Requests', 'Labels']);
    expect(entities[0]?.records).toBe(summary.entitiesSynced);

    const { rows } = await server.product.context.db.execute<{ bytes: number }>(
      sql`select pg_total_relation_size('gh_pulls')::float8 as bytes`,
    );
    const ratio = (entities[0]?.bytes ?? 0) / (rows[0]?.bytes ?? 0);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(1.1);
    expect((await diskUse(ben)).entities).toEqual([]);
  });

  it('is exported by entity, over all users', async () => {
    const { rows } = await server.product.context.db.execute<{ bytes: number }>(
      sql`select pg_total_relation_size('gh_pulls')::float8 as bytes`,
    );
    expect(await exportedBytes('gh-pulls')).toBe(rows[0]?.bytes);
    expect(await exportedBytes('imap-messages')).toBeGreaterThan(0);
  });

  it('names the provider of entities with the same title', async () => {
    await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
    // As after a sync of a mailbox.
    await server.product.context.db.execute(sql`
      insert into record_versions select (json_populate_record(v, '{"entity": "imap-messages"}')).*
      from record_versions v where entity = 'gmail-messages'`);
    const titles = (await diskUse(ada)).entities.map(({ title }) => title).sort();
    expect(titles).toEqual(['Labels', 'Messages · Gmail', 'Messages · IMAP', 'Pull Requests']);
  });

  it('shrinks when the records are deleted', async () => {
    await ada.call('DELETE', '/api/accounts/delete-data');
    expect((await diskUse(ada)).entities).toEqual([]);
  });
});
