import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectorDetail, Sync } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer } from '../../test-support/child-server.ts';
import { saveDraft, seenDraft } from '../../test-support/save-draft.ts';
import { seededRandom } from '../../test-support/seeded-random.ts';
import { SYNCS, until } from '../../test-support/syncing.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../test-support/temporary-folder.ts';
import { Client } from '../../test-support/test-server.ts';
import {
  startTicketService,
  TICKET_TOKEN,
  ticketDocument,
  ticketOf,
} from '../../test-support/ticket-service.ts';
import { findFreePort } from './http/listen.ts';

/** Stored records; 100,000 with PUBLICATION_RECORDS=100000, which takes six minutes. */
const RECORDS = Number(process.env.PUBLICATION_RECORDS ?? 20_000);
const ENTITY = 'helpdesk-tickets';
const PATH = '/api/admin/connectors/helpdesk';
const AGGREGATION = `/api/integrations/entities/aggregation/${ENTITY}`;

/** Columns of two versions: `points` is retyped, `state` is added, `short` is removed; the reverse when it is rolled back. */
const VERSIONS = [
  {
    points: { type: 'integer', value: 'record.points' },
    short: { type: 'text', value: '$substring(record.subject, 0, 8)' },
  },
  {
    points: { type: 'text', value: "record.points & ' points'" },
    state: { type: 'text', value: 'record.state' },
  },
] as const;

type Row = Record<string, unknown>;
interface Page {
  results: Row[];
  count: number;
}

let service: Awaited<ReturnType<typeof startTicketService>>;
let folder: string;
let server: ChildServer;
let ada: Client;

/** Returns the groups by points that a version shows, in its order. */
function groupsOf(version: number): Row[] {
  const counts = new Map<string | number, number>();
  for (let id = 1; id <= RECORDS; id++) {
    const { points } = ticketOf(id);
    const value = version === 0 ? points : `${points} points`;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return Array.from(counts, ([points, tickets]) => ({ points, tickets }));
}

/** Returns the newest rows that a version shows. */
function newestOf(version: number): Row {
  const { subject, points, state, updated_at } = ticketOf(RECORDS);
  const own = version === 0 ? { points, short: subject.slice(0, 8) } : { points: `${points} points`, state };
  return { subject, ...own, updated_at: updated_at.replace('.000Z', 'Z') };
}

const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();

/** Reads a template. @returns undefined while the server is down, or converts the records and says so */
async function read(template: string): Promise<Page | undefined> {
  const response = await ada.call('GET', `${AGGREGATION}/${template}`).catch(() => undefined);
  if (!response) return undefined;
  if (response.ok) return (await response.json()) as Page;
  const text = await response.text();
  expect([503, 502], text).toContain(response.status);
  return undefined;
}

/** Checks that what is shown is all of one version. @returns which one; undefined while nothing is shown */
async function shownVersion(): Promise<number | undefined> {
  const groups = await read('helpdesk-groups');
  const rows = await read('helpdesk-rows');
  if (rows) {
    const [newest = {}] = rows.results;
    expect(VERSIONS.map((_, version) => sorted([newestOf(version)])[0])).toContain(sorted([newest])[0]);
    expect(rows.count).toBe(RECORDS);
  }
  if (!groups) return undefined;
  const version = typeof groups.results[0]?.points === 'number' ? 0 : 1;
  expect(sorted(groups.results)).toEqual(sorted(groupsOf(version)));
  return version;
}

async function start(): Promise<void> {
  await server.start();
}

async function untilShown(version: number): Promise<void> {
  await until(async () => (await shownVersion()) === version, 300_000);
}

async function publish(version: number): Promise<void> {
  await saveDraft(ada, 'helpdesk', ticketDocument(service.url, VERSIONS[version]));
  await ada.post(`${PATH}/publish`, await seenDraft(ada, 'helpdesk'));
}

beforeAll(async () => {
  service = await startTicketService(RECORDS);
  folder = makeTemporaryFolder('datadeck-publication-');
  server = new ChildServer({
    DATA_DIR: folder,
    PORT: String(await findFreePort('127.0.0.1')),
    SANDBOX: 'on',
    CONNECT_HOSTS: '127.0.0.1',
    PLAN_LIMITS: 'none',
    QUOTA_TIME_SCALE: '1000',
  });
  await start();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await server.end('SIGTERM');
  await server.admin('users', '--admin', 'ada.nowak@sandbox.example');
  await start();
  await publish(0);
  await ada.post('/api/integrations/connections/helpdesk', { values: { token: TICKET_TOKEN } });
  const { _id } = await ada.post<Sync>(SYNCS, { providerId: 'helpdesk', entityLabel: ENTITY });
  const status = async () =>
    (await ada.get<Sync[]>(`${SYNCS}?providers=helpdesk`)).find((one) => one._id === _id)?.status;
  await until(async () => (await status()) === 'finished', 200_000);
  await untilShown(0);
}, 300_000);
afterAll(async () => {
  await server?.end('SIGTERM');
  service?.close();
  if (folder) removeDataFolder(folder);
});

describe('a version of a connector with stored records', () => {
  it('is published as a whole or not at all, also when the process is killed', async () => {
    const random = seededRandom(20_261_129);
    for (let attempt = 0; attempt < 4; attempt++) {
      await saveDraft(ada, 'helpdesk', ticketDocument(service.url, VERSIONS[1]));
      const seen = await seenDraft(ada, 'helpdesk');
      const publishing = ada.call('POST', `${PATH}/publish`, seen).catch(() => undefined);
      await sleep(random() * 150);
      await server.end('SIGKILL');
      await publishing;
      await start();
      const { version, draftAt } = await ada.get<ConnectorDetail>(PATH);
      expect(draftAt === null).toBe(version === 2);
      await shownVersion();
      if (version === 2) break;
    }
    if ((await ada.get<ConnectorDetail>(PATH)).version === 1)
      await ada.post(`${PATH}/publish`, await seenDraft(ada, 'helpdesk'));
  }, 120_000);

  it('shows all of one version at any time while records are converted and processes are killed', async () => {
    const reading = { isOver: false, answers: 0 };
    const reader = (async () => {
      for (; !reading.isOver; await sleep(50)) if ((await shownVersion()) !== undefined) reading.answers += 1;
    })();
    await sleep(700);
    await server.end('SIGKILL');
    await start();
    await sleep(1500);
    server.killDatabase();
    await server.end('SIGKILL');
    await start();
    await untilShown(1);
    reading.isOver = true;
    await reader;
    expect(reading.answers).toBeGreaterThan(0);
  }, 300_000);

  it('is rolled back, with the columns of before', async () => {
    const reading = { isOver: false };
    const reader = (async () => {
      for (; !reading.isOver; await sleep(50)) await shownVersion();
    })();
    await ada.post(`${PATH}/restore`, { version: 1 });
    await untilShown(0);
    reading.isOver = true;
    await reader;
  }, 300_000);
});
