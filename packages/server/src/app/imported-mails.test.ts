import { DOVECOT_MISSING, Dovecot, MailboxControl } from '@datadeck/connectors/test-support/imap';
import type { SearchResults, Sync } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../test-support/shared-server.ts';
import { allRows, SYNCS, until } from '../../test-support/syncing.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';

const ADA = 'ada.nowak@sandbox.example';
const PASSWORD = 'open sesame';
const MINUTE = 60_000;
/** When the newest ordinary mail arrived. */
const NEWEST = Date.UTC(2026, 9, 1);
/** When old mails were imported: after all others arrived. */
const IMPORTED = Date.UTC(2026, 10, 26);
/** Number of records that the plan keeps. */
const CAP = 500;
const KEPT_IMPORTS = 10;

let server: TestServer;
let ada: Client;
beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(ADA);
});
afterAll(() => server?.remove());

interface TestMail {
  subject: string;
  date: number;
  receivedAt: number;
}

/** A mailbox of one of the two providers. */
interface Door {
  provider: string;
  entity: string;
  settings: Record<string, string>;
  allTemplate: string;
  insert(mail: TestMail): Promise<void>;
}

let dovecot: Dovecot | undefined;
let mailbox: MailboxControl | undefined;
afterAll(async () => {
  mailbox?.close();
  await dovecot?.stop();
});

async function openImap(): Promise<Door> {
  dovecot = await Dovecot.start({ ada: PASSWORD });
  const control = new MailboxControl(dovecot, 'ada', PASSWORD);
  mailbox = control;
  const port = String(dovecot.ports.plain);
  const values = { host: '127.0.0.1', port, security: 'none', user: 'ada', password: PASSWORD };
  await ada.post('/api/integrations/connections/imap', { values });
  return {
    provider: 'imap',
    entity: 'imap-messages',
    settings: { mailbox: 'INBOX' },
    allTemplate: 'imap-messages-all',
    insert: async ({ subject, date, receivedAt }) => {
      const lines = ['From: bo@example.org', `Date: ${new Date(date).toUTCString()}`, `Subject: ${subject}`];
      await control.append('INBOX', `${lines.join('\r\n')}\r\n\r\nText.`, new Date(receivedAt));
    },
  };
}

async function openGmail(): Promise<Door> {
  await ada.connect('google', ADA);
  const { gmail } = server.control;
  const labelIds = gmail.createLabel(ADA, 'Imports');
  return {
    provider: 'google',
    entity: 'gmail-messages',
    settings: { labelIds },
    allTemplate: 'messages-all',
    insert: async (mail) => {
      gmail.insert(ADA, { ...mail, labelIds: [labelIds] });
    },
  };
}

async function sync({ provider, entity, settings }: Door): Promise<Sync> {
  const body = { providerId: provider, entityLabel: entity, entitySettings: settings };
  const { _id } = await ada.post<Sync>(SYNCS, body);
  let latest: Sync | undefined;
  await until(async () => {
    const syncs = await ada.get<Sync[]>(`${SYNCS}?providers=${provider}`);
    latest = syncs.find((one) => one._id === _id);
    return latest?.status !== 'started';
  });
  return latest as Sync;
}

async function find(door: Door, query: string): Promise<SearchResults> {
  const q = `subject:imported ${query}`;
  return ada.get(
    `/api/data/search?${new URLSearchParams({ q, providerId: door.provider, order: 'newest' })}`,
  );
}

/** Inserts mails of September 2002 that arrive after all others, one per day. */
async function importOld(door: Door, from: number, to: number): Promise<void> {
  for (let day = from; day < to; day++)
    await door.insert({
      subject: `imported ${day}`,
      date: Date.UTC(2002, 8, 1 + day),
      receivedAt: IMPORTED + day * MINUTE,
    });
}

const doors: [string, boolean, () => Promise<Door>][] = [
  ['IMAP', Boolean(DOVECOT_MISSING), openImap],
  ['Gmail', false, openGmail],
];

describe.each(doors)('mails of 2002 imported today through %s', (_, isMissing, open) => {
  let door: Door;
  beforeAll(async () => {
    if (isMissing) return;
    door = await open();
    for (let age = 0; age < CAP; age++) {
      const date = NEWEST - age * MINUTE;
      await door.insert({ subject: `ordinary ${age}`, date, receivedAt: date });
    }
    await importOld(door, 0, KEPT_IMPORTS);
  }, 120_000);

  it.skipIf(isMissing)('are kept by a full run at the cap, and found by their date', async () => {
    const { summary } = await sync(door);
    expect(summary).toMatchObject({ incremental: false, entitiesSynced: CAP, total: CAP + KEPT_IMPORTS });
    // The cap left out the ordinary mails that arrived first.
    expect(summary.keptBackTo).toBe(new Date(NEWEST - (CAP - KEPT_IMPORTS - 1) * MINUTE).toISOString());

    const { results, count } = await find(door, 'after:2002-09 before:2002-10');
    expect(count).toBe(KEPT_IMPORTS);
    expect(results[0]?.occurredAt).toBe('2002-09-10T00:00:00.000Z');
    expect((await find(door, 'after:2026-01')).count).toBe(0);
  });

  it.skipIf(isMissing)('are added by an incremental run, for which the first arrivals leave', async () => {
    await importOld(door, KEPT_IMPORTS, KEPT_IMPORTS + 5);
    expect((await sync(door)).summary).toMatchObject({ incremental: true, added: 5, entitiesSynced: CAP });
    expect((await find(door, 'after:2002-09 before:2002-10')).count).toBe(KEPT_IMPORTS + 5);

    const all = (await allRows(ada, door.entity, door.allTemplate)) as Record<string, string>[];
    expect(all).toHaveLength(CAP);
    expect(all[0]).toMatchObject({ subject: 'ordinary 0' });
    expect(all.at(-1)).toMatchObject({
      subject: 'imported 0',
      date: '2002-09-01T00:00:00.000Z',
      receivedAt: new Date(IMPORTED).toISOString(),
    });
    expect(all.some(({ subject }) => subject === `ordinary ${CAP - KEPT_IMPORTS - 1}`)).toBe(false);
  });

  it.skipIf(isMissing)('show their arrival when they are read', async () => {
    const [found] = (await find(door, 'after:2002-09-10 before:2002-09-11')).results;
    const record = encodeURIComponent(found?.recordId ?? '');
    const reading = await ada.get<{ occurredAt: string; facts: unknown[] }>(
      `/api/data/records/${door.provider}/${door.entity}?record=${record}`,
    );
    expect(reading.occurredAt).toBe('2002-09-10T00:00:00.000Z');
    expect(reading.facts).toContainEqual({ title: 'Received', values: ['Nov 26, 2026, 00:09 UTC'] });
  });
});
