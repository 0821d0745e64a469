import type { StartedSandbox } from '@datadeck/test-sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectGmail } from '../../test-support/connected-gmail.ts';
import { nothingStored } from '../../test-support/nothing-stored.ts';
import { Reader } from '../sdk/conformance/reading.ts';
import type { Connector, ConnectorRecord, Credentials, Json, Page } from '../sdk/index.ts';

const MAILBOX = 'ada.nowak@sandbox.example';
const DAY = 86_400_000;
let sandbox: StartedSandbox;
let connector: Connector;
let credentials: Credentials;
let reader: Reader;

beforeAll(async () => {
  ({ sandbox, connector, credentials } = await connectGmail(MAILBOX));
});
afterAll(() => sandbox.close());
beforeEach(() => {
  sandbox.control.reset();
  reader = new Reader({ entity: 'gmail-labels', settings: {} }, { connector, credentials });
});

function recordsOf(pages: readonly Page[]): ConnectorRecord[] {
  return pages.flatMap((page) => page.records);
}

/** Returns the stored records after applying the pages. */
function recordsAfter(
  before: readonly ConnectorRecord[],
  pages: readonly Page[],
): Map<string, ConnectorRecord> {
  const after = new Map(before.map((record) => [record.id, record]));
  for (const record of recordsOf(pages)) after.set(record.id, record);
  for (const id of pages.flatMap((page) => page.removed ?? [])) after.delete(id);
  return after;
}

/** Does a run, a change and an incremental run, and checks that the result equals that of a full run. */
async function runTwice(change: () => unknown, limit = 1000) {
  const first = await reader.run({ limit });
  await change();
  const second = await reader.run({ limit, cursor: first.completion.cursor });
  const full = await reader.run({ limit });
  expect(recordsAfter(recordsOf(first.pages), second.pages)).toEqual(recordsAfter([], full.pages));
  expect(second.completion).toMatchObject({ truncated: full.completion.truncated });
  return {
    first,
    read: recordsOf(second.pages).map(({ columns }) => columns.name),
    removed: second.pages.flatMap((page) => page.removed ?? []),
    requests: second.client.requests,
    second,
  };
}

describe('incremental run of Gmail labels', () => {
  const gmail = () => sandbox.control.gmail;

  it('sends two requests when nothing changed, also in the run after it', async () => {
    const { first, second, read, removed, requests } = await runTwice(() => undefined);
    expect([read, removed, requests]).toEqual([[], [], 2]);
    expect(second.pages[0]?.total).toBe(recordsOf(first.pages).length);
    const third = await reader.run({ cursor: second.completion.cursor });
    expect([recordsOf(third.pages), third.client.requests]).toEqual([[], 2]);
  });

  it.each([1, 2, 3, 10])('reads own labels before those of Gmail within a limit of %i', async (limit) => {
    for (const name of ['Zebra', 'Apple', 'Mango']) gmail().createLabel(MAILBOX, name);
    const { first } = await runTwice(() => undefined, limit);
    const types = recordsOf(first.pages).map(({ columns }) => columns.type);
    const own = recordsOf((await reader.run()).pages).filter(({ columns }) => columns.type === 'user').length;
    expect(own).toBeGreaterThanOrEqual(3);
    expect(types).toEqual(Array.from({ length: limit }, (_, at) => (at < own ? 'user' : 'system')));
  });

  it('reads only new and renamed labels and reports deleted ones', async () => {
    const [work = '', travel = ''] = ['Work', 'Travel'].map((name) => gmail().createLabel(MAILBOX, name));
    const outcome = await runTwice(() => {
      gmail().createLabel(MAILBOX, 'Brand new');
      gmail().renameLabel(MAILBOX, work, 'Labour');
      gmail().deleteLabel(MAILBOX, travel);
    });
    expect(outcome.read.toSorted()).toEqual(['Brand new', 'Labour']);
    expect([outcome.removed, outcome.requests]).toEqual([[travel], 4]);
  });

  it('reads every label after a message changed, since counts may differ', async () => {
    const { first, read } = await runTwice(() => gmail().insert(MAILBOX));
    expect(read).toHaveLength(recordsOf(first.pages).length);
    const [message = ''] = gmail().messageIds(MAILBOX, 'INBOX');
    const starred = await runTwice(() => gmail().changeLabels(MAILBOX, message, { add: ['STARRED'] }));
    expect(starred.read).toContain('STARRED');
  });

  it('reads every label after a day, since no list reports colour changes', async () => {
    const { pages, completion } = await reader.run();
    const cursor = completion.cursor as { readAt: number };
    const old: Json = { ...cursor, readAt: cursor.readAt - DAY };
    const again = await reader.run({ cursor: old });
    expect(recordsOf(again.pages)).toEqual(recordsOf(pages));
  });

  it('keeps to the limit', async () => {
    const { first, second, read, requests } = await runTwice(() => undefined, 3);
    expect([recordsOf(first.pages).length, read, requests]).toEqual([3, [], 2]);
    expect(second.completion.truncated).toBe(true);
    const wider = await reader.run({ limit: 5, cursor: second.completion.cursor });
    expect(wider.client.requests).toBe(4);
    const narrower = await reader.run({ limit: 1, cursor: second.completion.cursor });
    expect(narrower.pages[0]?.removed).toHaveLength(2);
  });

  it('skips and removes a label that is deleted while it is read', async () => {
    const { pages, completion } = await reader.run();
    const id = recordsOf(pages).find(({ columns }) => columns.type === 'user')?.id ?? '';
    gmail().renameLabel(MAILBOX, id, 'Short-lived');
    sandbox.control.fault({
      name: 'label-deleted',
      match: { api: 'gmail', path: /\/labels\/[^/]+$/, method: 'GET' },
    });

    const second = await reader.run({ cursor: completion.cursor });

    expect(second.pages).toMatchObject([{ records: [], removed: [id], skipped: 1 }]);
    expect(recordsAfter(recordsOf(pages), second.pages)).toEqual(
      recordsAfter([], (await reader.run()).pages),
    );
  });

  it('estimates its records, requests and units', async () => {
    const { completion, pages } = await reader.run();
    const all = recordsOf(pages).length;
    const { client } = reader.request();
    const plan = (cursor: Json) =>
      reader.entity.estimate({ client, settings: {}, limit: 1000, cursor, stored: nothingStored });
    expect(await plan(null)).toEqual({ total: all, records: all, requests: all + 2, units: all + 2 });
    expect(await plan(completion.cursor)).toEqual({ total: all, records: 0, requests: 2, units: 2 });
  });
});
