import { describe, expect, it } from 'vitest';
import { nothingStored } from '../../test-support/nothing-stored.ts';
import {
  type Completion,
  type Page,
  type ProviderClient,
  ProviderError,
  type ReadRequest,
} from '../sdk/index.ts';
import { countChanges, readChanges } from './mail-changes.ts';
import { messageRecord } from './mail-record.ts';

const SINCE = { historyId: '100', unreadable: [] as string[] };
const INBOX_TOTAL = 7;

interface Gmail {
  /** Pages of the history by their token; the first one has an empty token. */
  history: (token: string) => unknown;
  /** Labels of a message, or why it cannot be fetched. `content` fails for the full format only. */
  messages?: Record<string, string[] | 'gone' | 'content' | 'forbidden'>;
}

/** Returns changed messages as an entry of the history. */
const entry = (kind: string, ...ids: string[]) => ({ [kind]: ids.map((id) => ({ message: { id } })) });

/** Creates a client of a Gmail that contains just that, and the tokens with which its history was requested. */
function clientOf({ history, messages = {} }: Gmail): { client: ProviderClient; tokens: string[] } {
  const tokens: string[] = [];
  const fetchMessage = (id: string, format: string) => {
    const found = messages[id] ?? ['INBOX'];
    if (found === 'gone') throw new ProviderError('not-found', 'gone');
    if (found === 'forbidden') throw new ProviderError('forbidden', 'forbidden');
    if (found === 'content' && format === 'full') throw new ProviderError('invalid', 'unreadable');
    return [messageRecord({ id, threadId: id, labelIds: found === 'content' ? ['INBOX'] : found })];
  };
  const get = async ({ path, query = {} }: { path: string; query?: Record<string, string | undefined> }) => {
    const [last = ''] = path.split('/').slice(-1);
    if (path.endsWith('/labels')) return { body: { labels: [{ id: 'INBOX' }, { id: 'SENT' }] } };
    if (path.includes('/labels/')) return { body: { messagesTotal: INBOX_TOTAL } };
    if (path.includes('/messages/')) return { body: fetchMessage(last, query.format ?? '') };
    expect(query.startHistoryId).toBe(SINCE.historyId);
    tokens.push(query.pageToken ?? '');
    return { body: history(query.pageToken ?? '') };
  };
  return { client: { get, prefetchCount: 2 } as unknown as ProviderClient, tokens };
}

interface Saved {
  limit?: number;
  checkpoint?: ReadRequest['checkpoint'];
  since?: typeof SINCE;
  labelIds?: string[];
}

async function run(
  { client }: { client: ProviderClient },
  { limit = 1000, checkpoint = null, since = SINCE, labelIds = ['INBOX'] }: Saved = {},
  pages: Page[] = [],
): Promise<{ pages: Page[]; completion: Completion }> {
  const { signal } = new AbortController();
  const request = { client, settings: {}, checkpoint, cursor: null, limit, signal, stored: nothingStored };
  const source = readChanges(request, labelIds, since);
  for (;;) {
    const next = await source.next();
    if (next.done) return { pages, completion: next.value };
    pages.push(next.value);
  }
}

const idsOf = (pages: readonly Page[]) => pages.flatMap(({ records }) => records.map(({ id }) => id));
const one =
  (...history: object[]): Gmail['history'] =>
  () => ({ history, historyId: '200' });

describe('readChanges of Gmail', () => {
  it('reads the changes of all pages of the history by descending id', async () => {
    const pages: Record<string, unknown> = {
      '': {
        history: [entry('messagesAdded', 'a'), entry('labelsAdded', 'd')],
        historyId: '200',
        nextPageToken: 'x',
      },
      x: { history: [entry('labelsRemoved', 'b'), entry('messagesDeleted', 'c')], historyId: '201' },
    };
    const gmail = clientOf({ history: (token) => pages[token] });

    const found = await run(gmail);

    expect(gmail.tokens).toEqual(['', 'x']);
    expect(idsOf(found.pages)).toEqual(['d', 'b', 'a']);
    expect(found.pages[0]).toMatchObject({ removed: ['c'], unreadable: [], total: INBOX_TOTAL });
    // Changes during the run belong to the next one.
    expect(found.completion).toEqual({ cursor: { historyId: '200', unreadable: [] }, truncated: false });
  });

  it('yields an empty page with a checkpoint when nothing changed', async () => {
    const { pages } = await run(clientOf({ history: one() }));
    expect(pages).toEqual([
      { records: [], checkpoint: { historyId: '200', unreadable: [], after: '' }, total: INBOX_TOTAL },
    ]);
  });

  it('yields no empty page after others, and no total for several labels', async () => {
    const { pages } = await run(clientOf({ history: one(entry('messagesAdded', 'a')) }), {
      labelIds: ['INBOX', 'SENT'],
    });
    expect(idsOf(pages)).toEqual(['a']);
    expect(pages).toHaveLength(1);
    expect(pages[0]).not.toHaveProperty('total');
  });

  it('removes messages that left the scope or are gone', async () => {
    const history = one(entry('labelsRemoved', 'a', 'b', 'c'));
    const { pages } = await run(clientOf({ history, messages: { a: ['SENT'], b: 'gone' } }));
    expect([idsOf(pages), pages[0]?.removed]).toEqual([['c'], ['b', 'a']]);
  });

  it('counts deleted messages not towards the limit', async () => {
    const gmail = clientOf({
      history: one(entry('messagesAdded', 'a', 'b', 'c'), entry('messagesDeleted', 'c')),
    });
    expect(idsOf((await run(gmail, { limit: 2 })).pages)).toEqual(['b', 'a']);
    await expect(run(gmail, { limit: 1 })).rejects.toMatchObject({ failure: 'cursor-expired' });
  });

  it('reports unreadable messages once and reads them in the next run', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => `m${300 - index}`);
    const gmail = clientOf({ history: one(entry('messagesAdded', ...ids)), messages: { m299: 'content' } });
    const first = await run(gmail);
    expect(first.pages.map(({ unreadable }) => unreadable)).toEqual([['m299'], []]);
    expect(first.completion.cursor).toEqual({ historyId: '200', unreadable: ['m299'] });

    const rest = await run(gmail, { checkpoint: first.pages[0]?.checkpoint ?? null });
    expect(idsOf(rest.pages)).toEqual(['m200']);
    expect(rest.completion).toEqual(first.completion);

    const since = { ...SINCE, unreadable: ['m299'] };
    expect(idsOf((await run(clientOf({ history: one() }), { since })).pages)).toEqual(['m299']);
  });

  it('yields nothing when the first message fails, and those before a later failure', async () => {
    const history = one(entry('messagesAdded', 'a', 'b'));
    const pages: Page[] = [];
    await expect(run(clientOf({ history, messages: { b: 'forbidden' } }), {}, pages)).rejects.toThrow(
      'forbidden',
    );
    expect(pages).toEqual([]);
    await expect(run(clientOf({ history, messages: { a: 'forbidden' } }), {}, pages)).rejects.toThrow(
      'forbidden',
    );
    expect([idsOf(pages), pages[0]?.checkpoint]).toEqual([
      ['b'],
      { historyId: '200', unreadable: [], after: 'b' },
    ]);
  });
});

describe('history of Gmail', () => {
  const endless = { history: [], historyId: '200' };

  it.each([
    ['returns the same token again', () => 'x', 2],
    ['never ends', (token: string) => `${token}x`, 1000],
  ])('that %s expires the cursor', async (_, next, requests) => {
    const gmail = clientOf({ history: (token) => ({ ...endless, nextPageToken: next(token) }) });
    await expect(run(gmail)).rejects.toMatchObject({
      failure: 'cursor-expired',
      message: expect.stringContaining('no longer keeps'),
    });
    expect(gmail.tokens).toHaveLength(requests);
  });

  it.each([
    ['not-found', 'cursor-expired'],
    ['invalid', 'cursor-expired'],
    ['unavailable', 'unavailable'],
  ] as const)('that is %s ends the run as %s', async (failure, expected) => {
    const cause = new ProviderError(failure, 'no history');
    const gmail = clientOf({
      history: () => {
        throw cause;
      },
    });
    const error = await run(gmail).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ failure: expected });
    if (expected === 'cursor-expired') expect(error).toMatchObject({ cause });
  });

  it('passes on an error that is no failure of the provider', async () => {
    const stopped = Object.assign(new Error('stopped'), { failure: 'invalid' });
    const gmail = clientOf({
      history: () => {
        throw stopped;
      },
    });
    await expect(run(gmail)).rejects.toBe(stopped);
  });

  it('that cannot be read is malformed', async () => {
    const error = await run(clientOf({ history: () => ({ history: 'none' }) })).catch((thrown) => thrown);
    expect(error).toMatchObject({
      failure: 'malformed',
      message: 'Gmail sent a history that cannot be read.',
    });
    expect(error.cause).toBeDefined();
  });
});

describe('countChanges of Gmail', () => {
  const since = { ...SINCE, unreadable: ['a', 'z'] };

  it('counts changed and unreadable messages once', async () => {
    const history = one(entry('messagesAdded', 'a', 'b'), entry('labelsAdded', 'b'));
    expect(await countChanges(clientOf({ history }).client, since)).toBe(3);
  });

  it('returns undefined for an expired cursor and throws other failures', async () => {
    const failing = (failure: 'not-found' | 'unavailable') =>
      clientOf({
        history: () => {
          throw new ProviderError(failure, 'no history');
        },
      }).client;
    expect(await countChanges(failing('not-found'), since)).toBeUndefined();
    await expect(countChanges(failing('unavailable'), since)).rejects.toMatchObject({
      failure: 'unavailable',
    });
  });
});
