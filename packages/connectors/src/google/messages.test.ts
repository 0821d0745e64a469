import type { StartedSandbox } from '@datadeck/test-sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectGmail } from '../../test-support/connected-gmail.ts';
import { authorize } from '../../test-support/consent.ts';
import { nothingStored } from '../../test-support/nothing-stored.ts';
import {
  type Completion,
  type Connector,
  type Credentials,
  type Page,
  ProviderClient,
  Scheduler,
} from '../sdk/index.ts';
import { fetchMessages } from './mail-fetch.ts';
import { gmailMessages } from './messages.ts';

const MAILBOX = 'jonas.weber@sandbox.example';
/** Mailbox of synthetic mail in threads of three. */
const THREADS = 'bench-300@sandbox.example';
/** A clock that never waits. */
const clock = { now: () => Date.now(), pause: async () => undefined };
let sandbox: StartedSandbox;
let connector: Connector;
let credentials: Credentials;

beforeAll(async () => {
  ({ sandbox, connector, credentials } = await connectGmail(MAILBOX, { synthetic: { messages: 300 } }));
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control.reset());

async function credentialsOf(account: string): Promise<Credentials> {
  return (await authorize(connector.authorization, { account })).credentials;
}

type More = Partial<Parameters<typeof gmailMessages.read>[0]>;

function requestOf(labelIds: string, by = credentials): Parameters<typeof gmailMessages.read>[0] {
  const { signal } = new AbortController();
  const scheduler = new Scheduler(connector.quota, clock);
  const client = new ProviderClient({ connector, scheduler, credentials: async () => by, signal, clock });
  return {
    client,
    settings: { labelIds },
    checkpoint: null,
    cursor: null,
    limit: 10_000,
    signal,
    stored: nothingStored,
  };
}

function read(labelIds: string, more: More = {}): AsyncGenerator<Page, Completion> {
  return gmailMessages.read({ ...requestOf(labelIds), ...more });
}

async function run(labelIds: string, more: More = {}, pages: Page[] = []) {
  const source = read(labelIds, more);
  for (;;) {
    const next = await source.next();
    if (next.done) return { pages, ids: idsOf(pages), completion: next.value };
    pages.push(next.value);
  }
}

function idsOf(pages: readonly Page[]): string[] {
  return pages.flatMap((page) => page.records.map(({ id }) => id));
}

describe('gmailMessages', () => {
  it('fetches a message of several labels once, newest first, also on a resume', async () => {
    const [inbox, sent, unread] = [await run('INBOX'), await run('SENT'), await run('UNREAD')];
    const { control } = sandbox;
    control.resetCounters();
    const merged = await run('INBOX, SENT,UNREAD,INBOX');
    const gets = control.counters().requests['gmail GET /v1/users/:userId/messages/:id'];
    expect(new Set(merged.ids)).toEqual(new Set([...inbox.ids, ...sent.ids, ...unread.ids]));
    expect(new Set(merged.ids).size).toBe(merged.ids.length);
    expect(gets).toBe(merged.ids.length);
    expect(merged.ids).toEqual(control.gmail.messageIds(MAILBOX).filter((id) => merged.ids.includes(id)));

    for (const [index, { checkpoint }] of merged.pages.entries()) {
      const rest = await run('INBOX,SENT,UNREAD', { checkpoint });
      expect([...idsOf(merged.pages.slice(0, index + 1)), ...rest.ids]).toEqual(merged.ids);
    }
    const all = merged.ids.length;
    expect((await run('INBOX,SENT,UNREAD', { limit: all })).completion.truncated).toBe(false);
    expect((await run('INBOX,SENT,UNREAD', { limit: all - 1 })).completion.truncated).toBe(true);
  });

  it('fetches no more messages than the limit keeps', async () => {
    await run('INBOX', { limit: 30 });
    const { requests } = sandbox.control.counters();
    expect(requests['gmail GET /v1/users/:userId/messages/:id']).toBe(30);
  });

  it('resumes without loss after messages were added and removed', async () => {
    const { gmail } = sandbox.control;
    const now = Date.now();
    for (let age = 1; age <= 60; age++) gmail.insert(MAILBOX, { date: now - age * 60_000 });
    const { ids, pages } = await run('INBOX');
    expect(pages.length).toBeGreaterThan(1);

    for (const gone of [ids[0], ids[50], ids[98]]) gmail.remove(MAILBOX, gone ?? '');
    for (let count = 0; count < 7; count++) gmail.insert(MAILBOX);
    const rest = await run('INBOX', { checkpoint: pages[0]?.checkpoint ?? null });
    expect(rest.ids).toEqual(ids.slice(100));

    for (const gone of ids.slice(85, 100)) gmail.remove(MAILBOX, gone);
    const again = await run('INBOX', { checkpoint: pages[0]?.checkpoint ?? null });
    expect(again.ids).toEqual(expect.arrayContaining(ids.slice(100)));
  });

  it('counts a message that was deleted between list and read as skipped', async () => {
    const { ids } = await run('INBOX');
    sandbox.control.fault({ name: 'message-gone', times: 2 });
    const { pages } = await run('INBOX');
    expect(idsOf(pages)).toHaveLength(ids.length - 2);
    expect(pages.reduce((sum, page) => sum + (page.skipped ?? 0), 0)).toBe(2);
  });

  // @covers drift.failure-middle-page
  it('yields the messages read before a failure and continues after them', async () => {
    const { ids, completion } = await run('INBOX');
    const failing = () =>
      sandbox.control.fault({
        name: 'http-500',
        match: { api: 'gmail', path: /messages\/./ },
        afterRequests: 20,
        times: 1000,
      });
    failing();
    const full: Page[] = [];
    await expect(run('INBOX', {}, full)).rejects.toMatchObject({ failure: 'unavailable' });
    expect(idsOf(full).length).toBeGreaterThanOrEqual(10);
    sandbox.control.clearFaults();
    const rest = await run('INBOX', { checkpoint: full.at(-1)?.checkpoint ?? null });
    expect([...idsOf(full), ...rest.ids]).toEqual(ids);

    const inserted = Array.from({ length: 40 }, () => sandbox.control.gmail.insert(MAILBOX));
    failing();
    const changes: Page[] = [];
    const since = { cursor: completion.cursor };
    await expect(run('INBOX', since, changes)).rejects.toMatchObject({ failure: 'unavailable' });
    expect(idsOf(changes).length).toBeGreaterThanOrEqual(10);
    sandbox.control.clearFaults();
    const others = await run('INBOX', { ...since, checkpoint: changes.at(-1)?.checkpoint ?? null });
    expect([...idsOf(changes), ...others.ids].sort()).toEqual(inserted.sort());
  });

  it('treats trash and spam alike in full and incremental runs', async () => {
    const { gmail } = sandbox.control;
    const { ids, completion } = await run('INBOX,STARRED');
    gmail.changeLabels(MAILBOX, ids[1] ?? '', { add: ['TRASH'] });
    gmail.changeLabels(MAILBOX, ids[2] ?? '', { add: ['SPAM'] });
    const { pages } = await run('INBOX,STARRED', { cursor: completion.cursor });
    expect(idsOf(pages)).toEqual([]);
    expect(pages.flatMap((page) => page.removed ?? []).sort()).toEqual([ids[1], ids[2]].sort());
    expect((await run('INBOX,STARRED')).ids).toEqual(ids.filter((id) => id !== ids[1] && id !== ids[2]));
  });

  // @covers drift.history-repeats-reorders
  it('reads each change once when the history repeats and reorders entries', async () => {
    const { completion } = await run('INBOX', { limit: 5 });
    const inserted = Array.from({ length: 4 }, () => sandbox.control.gmail.insert(MAILBOX));
    sandbox.control.fault({ name: 'history-repeats' });
    const { ids } = await run('INBOX', { cursor: completion.cursor });
    expect(ids.sort()).toEqual(inserted.sort());
  });

  it('requests a restart for expired history and for a refused page token', async () => {
    const { completion } = await run('INBOX', { limit: 5 });
    sandbox.control.fault({ name: 'history-gone' });
    await expect(run('INBOX', { cursor: completion.cursor })).rejects.toMatchObject({
      failure: 'cursor-expired',
    });
    const position = { pageToken: 'not-a-token', taken: [], ended: false };
    const checkpoint = { historyId: '1', positions: { INBOX: position } };
    await expect(run('INBOX', { checkpoint })).rejects.toMatchObject({ failure: 'cursor-expired' });
  });

  it.each(['SPAM', 'TRASH'])('lists messages of %s and reads their changes', async (label) => {
    const { gmail } = sandbox.control;
    const [id = ''] = (await run('INBOX')).ids;
    gmail.changeLabels(MAILBOX, id, { add: [label] });
    const { ids, completion } = await run(label);
    expect(ids).toContain(id);
    const [next = ''] = (await run('INBOX')).ids;
    gmail.changeLabels(MAILBOX, next, { add: [label] });
    expect((await run(label, { cursor: completion.cursor })).ids).toEqual([next]);
  });

  it('names an unknown label among several, also in an incremental run', async () => {
    const failure = (label: string) => ({
      failure: 'invalid',
      field: 'labelIds',
      message: `Gmail does not know the label ${label}. Check the label IDs.`,
    });
    await expect(run('INBOX,Label_404')).rejects.toMatchObject(failure('Label_404'));
    const { completion } = await run('INBOX,SENT', { limit: 5 });
    const since = { cursor: completion.cursor };
    await expect(run('INBOX,Label_405', since)).rejects.toMatchObject(failure('Label_405'));
    await expect(run('Label_406', since)).rejects.toMatchObject(failure('Label_406'));
  });

  it('limits concurrent requests of an estimate and names an unknown label', async () => {
    const { client } = requestOf('INBOX');
    let [open, most] = [0, 0];
    const counted = new Proxy(client, {
      get: (target, name) => {
        if (name !== 'get') return Reflect.get(target, name);
        return async (...call: Parameters<ProviderClient['get']>) => {
          most = Math.max(most, ++open);
          return target.get(...call).finally(() => open--);
        };
      },
    });
    const labelIds = Array.from({ length: 100 }, () => 'INBOX,SENT,UNREAD')
      .join(',')
      .split(',');
    const names = ['INBOX', 'SENT', 'UNREAD', 'STARRED', 'IMPORTANT', 'TRASH', 'SPAM', 'DRAFT', 'CHAT'];
    const categories = ['PERSONAL', 'SOCIAL', 'PROMOTIONS', 'UPDATES', 'FORUMS'].map(
      (one) => `CATEGORY_${one}`,
    );
    const settings = { labelIds: [...labelIds, ...names, ...categories].join(',') };
    const request = { client: counted, settings, cursor: null, limit: 10, stored: nothingStored };

    expect(await gmailMessages.estimate(request)).toMatchObject({ total: null, records: 10 });
    expect(most).toBeLessThanOrEqual(11);
    await expect(
      gmailMessages.estimate({ ...request, settings: { labelIds: 'INBOX,Label_404' } }),
    ).rejects.toMatchObject({ failure: 'invalid', field: 'labelIds' });
  });

  it('names an unknown label', async () => {
    await expect(run('Label_404')).rejects.toMatchObject({
      failure: 'invalid',
      message: 'Gmail does not know the label Label_404. Check the label IDs.',
    });
  });
});

describe('messages of a Gmail thread', () => {
  const MESSAGES = 'gmail GET /v1/users/:userId/messages/:id';
  const THREAD = 'gmail GET /v1/users/:userId/threads/:id';

  it('reads a thread as a whole when that is cheaper, with the same records', async () => {
    const { client } = requestOf('INBOX', await credentialsOf(THREADS));
    sandbox.control.resetCounters();
    const { pages, ids } = await run('INBOX', { client });
    const { requests, units } = sandbox.control.counters();
    expect(ids).toHaveLength(300);
    expect(requests[THREAD]).toBe(100);
    expect(requests[MESSAGES]).toBeUndefined();
    expect(client.units).toBe(units[`gmail ${THREADS}`]);
    expect(client.units).toBeLessThan(100 * 40 + 50);

    const alone = fetchMessages({ ...requestOf('INBOX'), client }, ids);
    const records = pages.flatMap((page) => page.records);
    for (let index = 0; index < ids.length; index++)
      expect(records[index]).toEqual((await alone.next()).value?.record);
  });

  it('reads messages one by one when few are wanted or the thread is gone', async () => {
    const { client } = requestOf('INBOX', await credentialsOf(THREADS));
    sandbox.control.resetCounters();
    const few = await run('INBOX', { client, limit: 8 });
    expect(few.ids).toHaveLength(8);
    expect(sandbox.control.counters().requests).toMatchObject({ [THREAD]: 2, [MESSAGES]: 2 });
    sandbox.control.fault({ name: 'message-gone', times: 1 });
    expect((await run('INBOX', { client, limit: 9 })).ids).toHaveLength(9);
    expect(sandbox.control.counters().requests).toMatchObject({ [THREAD]: 5, [MESSAGES]: 5 });
  });

  // @covers drift.thread-gmail-fails
  it.each(['http-500', 'html-instead-of-json'] as const)(
    'reads messages one by one whenever Gmail answers %s for the thread',
    async (name) => {
      const { client } = requestOf('INBOX', await credentialsOf(THREADS));
      const { ids } = await run('INBOX', { client, limit: 9 });
      sandbox.control.fault({ name, match: { api: 'gmail', path: /threads/ }, times: 1000 });
      expect((await run('INBOX', { client, limit: 9 })).ids).toEqual(ids);
    },
  );
});
