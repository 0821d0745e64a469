import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Sync } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PGBOUNCER_MISSING, PgBouncer } from '../../test-support/pg-bouncer.ts';
import { SHARED_POSTGRES } from '../../test-support/shared-postgres.ts';
import { awaitEnd, startSync, until } from '../../test-support/syncing.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../test-support/temporary-folder.ts';
import { createEmptyDatabase, type TestDatabase } from '../../test-support/test-database.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { verifyBackup } from '../platform/backup/index.ts';
import { backUp } from './backup.ts';

const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
const ADA = 'ada.nowak@sandbox.example';
const folder = makeTemporaryFolder('datadeck-pooled-');

let pooler: PgBouncer;
let direct: TestDatabase;
let other: TestDatabase;
let settings: Record<string, string>;
/** Two processes on one database: the first one runs syncs. */
let servers: [TestServer, TestServer];

/** Collects the events that a client receives. */
async function follow(client: Client): Promise<{ text: string; close(): Promise<void> }> {
  const response = await client.call('GET', '/api/events');
  const reader = response.body?.getReader();
  const stream = { text: '', close: async () => reader?.cancel() };
  const decoder = new TextDecoder();
  const read = async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      stream.text += decoder.decode(part.value, { stream: true });
  };
  void read().catch(() => undefined);
  await until(() => stream.text.includes('hello'));
  return stream;
}

describe.skipIf(PGBOUNCER_MISSING)('Datadeck behind PgBouncer in transaction mode', () => {
  beforeAll(async () => {
    const server = process.env.TEST_DATABASE_URL ?? process.env[SHARED_POSTGRES] ?? '';
    pooler = await PgBouncer.start(server);
    direct = await createEmptyDatabase();
    other = await createEmptyDatabase();
    const directUrl = direct.directUrl ?? direct.url;
    settings = {
      DATABASE_URL: pooler.url(directUrl.slice(directUrl.lastIndexOf('/') + 1)),
      DATABASE_DIRECT_URL: directUrl,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    servers = [
      await startTestServer(settings),
      await startTestServer({ ...settings, SANDBOX: 'off', ROLE: 'web' }),
    ];
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server.remove();
    await direct?.drop();
    await other?.drop();
    await pooler?.stop();
    removeDataFolder(folder);
  });

  it('signs in, connects, syncs, queries, backs up and deletes', async () => {
    const ada = await new Client(servers[0]).signIn(ADA);
    await ada.connect('github', 'ada-nowak');
    const sync = await awaitEnd(ada, (await startSync(ada, 'gh-pulls', DOTFILES))._id);
    expect(sync).toMatchObject({ status: 'finished' });

    const rows = '/api/integrations/entities/aggregation/gh-pulls/pulls-all';
    const { count } = await ada.get<{ count: number }>(rows);
    expect(count).toBeGreaterThan(10);
    const query = { entryCollection: 'gh-pulls', templateKey: 'pulls-all', jsonNataQuery: '$count($)' };
    expect(await ada.post('/api/data/query', query)).toMatchObject({ results: [count] });

    const file = join(folder, 'pooled.backup');
    const { config } = servers[0];
    const { rows: stored } = await backUp({ connectionString: config.DATABASE_URL }, config, file, {
      version: '0',
    });
    expect(stored.get('gh_pulls')).toBe(count);
    expect((await verifyBackup(file, {})).header.tables.length).toBeGreaterThan(10);

    await ada.json('DELETE', '/api/accounts/delete-account');
    const { db } = servers[0].product.context;
    await until(async () => (await db.execute('select from gh_pulls')).rows.length === 0);
  });

  it('sends events of a run to the pages of another process', async () => {
    const ada = await new Client(servers[0]).signIn(ADA);
    await ada.connect('github', 'ada-nowak');
    const there = new Client(servers[1]);
    there.token = ada.token;
    const events = await follow(there);
    const { _id } = await startSync(ada, 'gh-pulls', DOTFILES);
    await until(() => events.text.includes(_id));
    await awaitEnd(ada, _id);
    await until(() => /"status":"finished"/.test(events.text));
    await events.close();
    const [seen] = await there.get<Sync[]>('/api/integrations/synchronizations?providers=github');
    expect(seen).toMatchObject({ _id, status: 'finished' });
  });

  it('does not start when the direct address leads to another database', async () => {
    const wrong = { ...settings, DATABASE_DIRECT_URL: other.directUrl ?? other.url };
    await expect(startTestServer(wrong)).rejects.toThrow(
      'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases',
    );
  });
});
