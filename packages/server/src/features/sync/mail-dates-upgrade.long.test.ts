import { hash } from 'node:crypto';
import type {
  AlertDelivery,
  Alerts,
  RecordVersions,
  SavedAlert,
  SearchResults,
  Sync,
} from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settleAlerts } from '../../../test-support/jobs.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync, SYNCS } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { startBackfill } from './re-extract-job.ts';

const ADA = 'ada.nowak@sandbox.example';
const DAY = 86_400_000;
const ARRIVAL = Date.UTC(2026, 10, 20);
const ALERT = { kinds: ['appeared', 'changed', 'disappeared'], digest: 'each', bell: true, email: false };
/** Imported mails of September 2002, and mails that a second run adds, changes and removes. */
const MAILS = 120;

let server: TestServer;
let ada: Client;
let labelIds: string;
let ids: string[];
let last: Sync;
let alertId: string;
const execute = async (statement: ReturnType<typeof sql>) =>
  (await server.product.context.db.execute(statement)).rows;

const insert = (day: number) =>
  server.control.gmail.insert(ADA, {
    subject: `imported ${day}`,
    date: Date.UTC(2002, 8, 1) + (day % 30) * DAY,
    receivedAt: ARRIVAL + day * 1000,
    labelIds: [labelIds],
  });

type Document = Record<string, unknown>;
type MailRow = { id: string; data: Document; [column: string]: unknown };

/** Returns a row as the version before stored it: the arrival as its date. */
function olderRow(row: MailRow): MailRow & { hash: string } {
  const { receivedAt, ...rest } = row.data;
  const data = { ...rest, date: receivedAt };
  const digest = hash('sha1', JSON.stringify(data), 'base64');
  const { received_at, ...columns } = row;
  return { ...columns, occurred_at: receivedAt, date: receivedAt, data, hash: digest, id: row.id };
}

/** Makes records and undo rows look as the version before stored them. @param extraction of the version that they claim */
async function storeOlderForm(extraction: number): Promise<void> {
  const rows = (await execute(sql`select * from gmail_messages`)) as MailRow[];
  for (const row of rows.filter(({ data }) => 'receivedAt' in data)) {
    const { data, hash: digest, date, id } = olderRow(row);
    await execute(sql`update gmail_messages set data = ${JSON.stringify(data)}::json, hash = ${digest},
      occurred_at = ${date}, date = ${date}, received_at = null where id = ${id}`);
  }
  await execute(sql`update gmail_messages set extraction = ${extraction}`);
  const logged = (await execute(sql`select sync_id, id, row from record_undo`)) as {
    sync_id: string;
    id: string;
    row: MailRow;
  }[];
  for (const { sync_id, id, row } of logged) {
    const older = 'receivedAt' in row.data ? olderRow(row) : row;
    const json = JSON.stringify({ ...older, extraction });
    await execute(sql`update record_undo set row = ${json}::json, hash = ${older.hash}, extraction = 0
      where sync_id = ${sync_id} and id = ${id}`);
  }
  await execute(sql`update record_versions set extraction = ${extraction}, version = version + 1`);
}

async function backfillAll(): Promise<void> {
  const { db, jobs } = server.product.context;
  await db.transaction((tx) => startBackfill(tx, jobs));
  await settleAlerts(server);
}

const records = () =>
  execute(sql`select id, occurred_at, date, received_at, hash, extraction, created_sync, changed_sync, scopes, data::text
    from gmail_messages order by id`);
const undoRows = () =>
  execute(sql`select sync_id, id, hash, extraction, (row->'data')::text as data, (row->>'occurred_at')::timestamptz as at,
    (row->>'received_at')::timestamptz as received, row->>'hash' as inner_hash, row->>'extraction' as inner_extraction
    from record_undo order by sync_id, id`);
const indexed = () =>
  execute(
    sql`select id, occurred_at, terms::text from search_entries where entity = 'gmail-messages' order by id`,
  );

async function versions(): Promise<RecordVersions[]> {
  const all: RecordVersions[] = [];
  // One after the other, within the limit of calls at once.
  for (const id of ids)
    all.push(await ada.get(`/api/integrations/entities/versions/google/gmail-messages?record=${id}`));
  return all;
}

async function found(): Promise<number> {
  const q = 'subject:imported after:2002-09 before:2002-10';
  return (await ada.get<SearchResults>(`/api/data/search?${new URLSearchParams({ q })}`)).count;
}

async function deliveries(): Promise<AlertDelivery[]> {
  return (await ada.get<{ results: AlertDelivery[] }>(`/api/data/alerts/deliveries?alert=${alertId}`))
    .results;
}

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(ADA);
  await ada.connect('google', ADA);
  const { gmail } = server.control;
  labelIds = gmail.createLabel(ADA, 'Imports');
  const more = gmail.createLabel(ADA, 'More');
  ids = Array.from({ length: MAILS }, (_, day) => insert(day));
  await runSync(ada, 'gmail-messages', { labelIds });
  const view = { title: 'All', description: 'd', providerId: 'google', entityLabel: 'gmail-messages' };
  const { _id: viewId } = await ada.post<{ _id: string }>('/api/data/views', {
    ...view,
    jsonNataQuery: '$',
    templateKey: 'messages-all',
  });
  alertId = (await ada.post<SavedAlert>('/api/data/alerts', { ...ALERT, viewId }))._id;
  // Pre-images with other and with equal documents, and of removed records.
  for (const id of ids.slice(0, 20)) gmail.changeLabels(ADA, id, { add: ['STARRED', more] });
  for (const id of ids.slice(20, 30)) gmail.remove(ADA, id);
  await runSync(ada, 'gmail-messages', { labelIds });
  await runSync(ada, 'gmail-messages', { labelIds: more });
  for (const id of ids.slice(0, 60)) gmail.changeLabels(ADA, id, { add: ['IMPORTANT'] });
  last = await runSync(ada, 'gmail-messages', { labelIds });
  await settleAlerts(server);
}, 120_000);
afterAll(() => server?.remove());

describe('an upgrade from a version that stored the arrival as the date', () => {
  it('dates records, undo rows and the index, without a version in the history', async () => {
    const before = { records: await records(), undo: await undoRows(), index: await indexed() };
    const history = await versions();
    const changes = await ada.get(`${SYNCS}/${last._id}/changes`);
    expect(before.undo.length).toBeGreaterThan(60);
    expect(await found()).toBe(MAILS - 10);

    await storeOlderForm(2);
    expect(await found()).toBe(0);
    expect(await records()).not.toEqual(before.records);
    expect(await undoRows()).not.toEqual(before.undo);
    await backfillAll();

    expect(await records()).toEqual(before.records);
    expect(await undoRows()).toEqual(before.undo);
    expect(await indexed()).toEqual(before.index);
    expect(await versions()).toEqual(history);
    expect(await ada.get(`${SYNCS}/${last._id}/changes`)).toEqual(changes);
    expect(await found()).toBe(MAILS - 10);
  });

  it('is no change for a run that reads the records before the back-fill does', async () => {
    const before = { records: await records(), undo: await undoRows() };
    await storeOlderForm(2);
    await execute(sql`delete from sync_cursors`);
    const { summary } = await runSync(ada, 'gmail-messages', { labelIds });
    expect(summary).toMatchObject({ incremental: false, added: 0, updated: 0, removed: 0 });
    await backfillAll();
    expect(await records()).toEqual(before.records);
    expect(await undoRows()).toEqual(before.undo);
  });

  it('alerts nobody, and alerts of changes after it', async () => {
    // The alert compares with rows of the older form.
    await storeOlderForm(3);
    const { jobs, db } = server.product.context;
    const [source] = await execute(sql`select user_id, connection_id from gmail_messages limit 1`);
    await jobs.send(
      'data-change',
      { userId: source?.user_id, connectionId: source?.connection_id, entity: 'gmail-messages' },
      { db },
    );
    await settleAlerts(server);
    const reported = (await deliveries()).length;
    await storeOlderForm(2);
    await execute(sql`update alerts set extraction = 2`);

    await backfillAll();
    const [compared] = (await ada.get<Alerts>('/api/data/alerts')).results;
    expect(compared).toMatchObject({ problem: null, rowCount: ids.length - 10 });
    expect(await deliveries()).toHaveLength(reported);

    ids.push(insert(MAILS));
    await runSync(ada, 'gmail-messages', { labelIds });
    await settleAlerts(server);
    expect(await deliveries()).toHaveLength(reported + 1);
    expect((await deliveries())[0]?.changes).toMatchObject({ appeared: 1, changed: 0, disappeared: 0 });
  });

  it('lets an undo restore dated records', async () => {
    const before = await records();
    for (const id of ids.slice(40, 50)) server.control.gmail.remove(ADA, id);
    const run = await runSync(ada, 'gmail-messages', { labelIds });
    expect(run.summary).toMatchObject({ removed: 10 });
    await storeOlderForm(2);
    await backfillAll();
    await ada.json('DELETE', `${SYNCS}/${run._id}`);
    await settleAlerts(server);
    expect(await records()).toEqual(before);
    expect(await found()).toBe(MAILS - 9);
  });
});
