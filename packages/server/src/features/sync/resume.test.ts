import { setTimeout as sleep } from 'node:timers/promises';
import { type StartedSandbox, startSandbox } from '@datadeck/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../app/http/listen.ts';
import { ChildServer } from '../../testing/child-server.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { awaitEnd, readSync, runSync, startSync } from '../../testing/syncing.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../testing/temporary-folder.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { Client } from '../../testing/test-server.ts';

const KILLS = 20;
let sandbox: StartedSandbox;
let server: ChildServer;
let folder: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;

/** The server in a process of its own, the providers in this one: they outlive its deaths. */
beforeAll(async () => {
  sandbox = await startSandbox({ latencyMs: 25, quotaScale: 0 });
  database = await createTestDatabase();
  folder = makeTemporaryFolder('datadeck-kill-');
  const { googleIssuer, gmailApiUrl, githubUrl, githubApiUrl } = sandbox.urls();
  const { google, github } = sandbox.clients;
  server = new ChildServer({
    DATA_DIR: folder,
    PORT: String(await findFreePort('127.0.0.1')),
    GOOGLE_CLIENT_ID: google.id,
    GOOGLE_CLIENT_SECRET: google.secret,
    GITHUB_CLIENT_ID: github.id,
    GITHUB_CLIENT_SECRET: github.secret,
    GOOGLE_ISSUER: googleIssuer,
    GMAIL_API_URL: gmailApiUrl,
    GITHUB_URL: githubUrl,
    GITHUB_API_URL: githubApiUrl,
    GMAIL_UNITS_PER_MINUTE: '0',
    GITHUB_POINTS_PER_MINUTE: '0',
    ...(database ? { DATABASE_URL: database.url } : {}),
  });
  await server.start();
});

afterAll(async () => {
  await server?.end('SIGTERM');
  await sandbox?.close();
  await database?.drop();
  removeDataFolder(folder);
});

/** Every row of a template, over all pages. */
async function allRows(client: Client, entity: string, template: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let page = 1; ; page++) {
    const path = `/api/integrations/entities/aggregation/${entity}/${template}?page=${page}`;
    const { results, count } = await client.get<{ results: unknown[]; count: number }>(path);
    rows.push(...results);
    if (results.length === 0 || rows.length >= count) return rows;
  }
}

async function signedIn(email: string): Promise<Client> {
  const client = await new Client(server).signIn(email);
  expect(await client.connect('google', 'ada.nowak@sandbox.example')).toBe('google');
  expect(await client.connect('github', 'ada-nowak')).toBe('github');
  return client;
}

const MAIL = { entity: 'gmail-messages', settings: { labelIds: 'INBOX' }, template: 'messages-all' } as const;
const CODE = {
  entity: 'gh-pulls',
  settings: { owner: 'aurora-labs', repo: 'harbor' },
  template: 'pulls-all',
} as const;

test(`killed with -9 ${KILLS} times during syncs, the records equal those of undisturbed runs`, async () => {
  const random = seededRandom(Date.now() % 100_000);
  const undisturbed = await signedIn('jonas.weber@sandbox.example');
  for (const run of [MAIL, CODE]) await runSync(undisturbed, run.entity, run.settings);

  const disturbed = await signedIn('ada.nowak@sandbox.example');
  let kills = 0;
  for (let round = 0; kills < KILLS; round++) {
    const run = round % 3 === 2 ? CODE : MAIL;
    const { _id } = await startSync(disturbed, run.entity, run.settings);
    while (kills < KILLS) {
      await sleep(20 + random() * 500);
      await server.end('SIGKILL');
      if (kills % 4 === 3 && !database) server.killDatabase();
      kills++;
      await server.start();
      if ((await readSync(disturbed, _id)).status !== 'started') break;
    }
    const ended = await awaitEnd(disturbed, _id, 60_000);
    expect(ended, JSON.stringify({ seed: random.seed, ended })).toMatchObject({ status: 'finished' });
    const rows = await allRows(disturbed, run.entity, run.template);
    expect(rows, `seed ${random.seed}`).toEqual(await allRows(undisturbed, run.entity, run.template));
    if (kills < KILLS)
      await disturbed.post(
        `/api/integrations/entities/delete-all-data?provider=${run === CODE ? 'github' : 'google'}`,
      );
  }
  expect(kills).toBe(KILLS);
}, 240_000);

test('SIGTERM during a sync, then start: it resumes by itself and finishes', async () => {
  const client = await new Client(server).signIn('jonas.weber@sandbox.example');
  await client.post('/api/integrations/entities/delete-all-data?provider=google');
  const { _id } = await startSync(client, MAIL.entity, MAIL.settings);
  await sleep(400);
  expect(await server.end('SIGTERM')).toBe(0);
  await server.start();
  const resumed = await readSync(client, _id);
  expect(resumed.status).toBe('started');
  expect(await awaitEnd(client, _id)).toMatchObject({ status: 'finished' });
  expect((await allRows(client, MAIL.entity, MAIL.template)).length).toBeGreaterThan(300);
}, 90_000);
