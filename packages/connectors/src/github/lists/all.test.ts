import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nothingStored } from '../../../test-support/nothing-stored.ts';
import { type SmallServer, startSmallServer } from '../../sdk/conformance/small-server.ts';
import { type Completion, type Json, type Page, ProviderClient, Scheduler } from '../../sdk/index.ts';
import { ghPulls } from '../pulls/entity.ts';

/** Longer than anything takes, even on a busy machine. */
const LONG_TIMEOUT_MS = 30_000;

/** How the server divides its list into pages and links them. */
interface ServerBehaviour {
  pulls: number;
  /** Returns the actual page size for a requested one. */
  sizeOf(requested: number): number;
  /** Delays a response. Default: 5 ms. */
  hold?(): Promise<void> | undefined;
  link(address: string, relation: string): string;
  /** Number of pull requests that each page omits, as GitHub does with hidden ones. */
  hidden?: number;
  /** Whether every page equals the first one. */
  isUnpaged?: boolean;
  /** Number of the newest pull requests that were updated since. */
  changed?: number;
}

const USUAL: ServerBehaviour = {
  pulls: 230,
  sizeOf: (requested) => requested,
  link: (address, relation) => `<${address}>; rel="${relation}"`,
};
/** Creates the usual links without one relation. */
function usualWithout(left: string): ServerBehaviour['link'] {
  return (address, relation) => (relation === left ? '' : USUAL.link(address, relation));
}

let behaviour: ServerBehaviour;
/** Page number and size of each request. */
let requests: string[];
/** Requests in flight, and the largest number of them so far. */
let inFlight: number;
let maxInFlight: number;
let server: SmallServer;

beforeEach(async () => {
  requests = [];
  inFlight = 0;
  maxInFlight = 0;
  server = await startSmallServer(async (request, response) => {
    maxInFlight = Math.max(maxInFlight, ++inFlight);
    await (behaviour.hold?.() ?? sleep(5));
    inFlight--;
    const { searchParams } = new URL(request.url ?? '', server.url);
    const { body, link } = answerTo(searchParams);
    response.writeHead(200, { 'content-type': 'application/json', ...(link ? { link } : {}) });
    response.end(JSON.stringify(body));
  });
});
afterEach(async () => {
  await server.close();
  // Wait for responses to requests that a test aborted.
  await vi.waitFor(() => expect(inFlight).toBe(0), LONG_TIMEOUT_MS);
});

function answerTo(query: URLSearchParams): { body: unknown; link: string } {
  const requested = Number(query.get('per_page'));
  const page = behaviour.isUnpaged ? 1 : Number(query.get('page'));
  requests.push(`${page}/${requested}`);
  const size = behaviour.sizeOf(requested);
  const last = Math.ceil(behaviour.pulls / size);
  const isDescending = query.get('direction') === 'desc';
  const first = (page - 1) * size;
  const hidden = page < last ? (behaviour.hidden ?? 0) : 0;
  const held = Math.max(0, Math.min(size, behaviour.pulls - first) - hidden);
  const body = Array.from({ length: held }, (_, index) => {
    const position = first + hidden + index;
    const number = isDescending ? behaviour.pulls - position : position + 1;
    const isChanged = number > behaviour.pulls - (behaviour.changed ?? 0);
    return {
      id: number,
      number,
      created_at: dateOf(number),
      updated_at: dateOf(isChanged ? number + behaviour.pulls : number),
    };
  });
  const pages = page < last ? { next: page + 1, last } : {};
  const links = Object.entries(pages).map(([relation, to]) => {
    const address = new URL(`/repositories/1/pulls?${query}`, server.url);
    address.searchParams.set('page', String(to));
    return behaviour.link(address.href, relation);
  });
  return { body, link: links.filter(Boolean).join(', ') };
}

function dateOf(number: number): string {
  // An endless list has higher numbers than there are dates.
  return new Date(Date.UTC(2026, 0, 1, Math.min(number, 1_000_000))).toISOString().replace('.000', '');
}

const settings = { owner: 'acme', repo: 'box' };

function clientOf(concurrency = 1): ProviderClient {
  return new ProviderClient({
    connector: {
      title: 'Stand-in',
      apiUrl: server.url,
      classify: () => ({ kind: 'retry', message: 'failed' }),
    },
    scheduler: new Scheduler({ concurrency, unitsPerMinute: Number.POSITIVE_INFINITY }),
    credentials: async () => ({ accessToken: 'token' }) as never,
    signal: new AbortController().signal,
  });
}

interface Saved {
  checkpoint?: Json;
  cursor?: Json;
  limit?: number;
}

function read({ checkpoint = null, cursor = null, limit = 1000 }: Saved): AsyncGenerator<Page, Completion> {
  const { signal } = new AbortController();
  return ghPulls.read({
    client: clientOf(),
    settings,
    checkpoint,
    cursor,
    limit,
    signal,
    stored: nothingStored,
  });
}

async function run(saved: Saved = {}) {
  const pages: Page[] = [];
  const source = read(saved);
  for (;;) {
    const next = await source.next();
    if (next.done) return { ids: idsOf(pages), total: pages.at(-1)?.total, ...next.value };
    pages.push(next.value);
  }
}

function idsOf(pages: readonly Page[]): string[] {
  return pages.flatMap(({ records }) => records.map(({ id }) => id));
}

function newest(count: number, from = 230): string[] {
  return Array.from({ length: count }, (_, index) => String(from - index));
}

describe('pull request listing', () => {
  it('requests the count once, then each page once from the last one down', async () => {
    behaviour = USUAL;
    expect(await run()).toMatchObject({ ids: newest(230), total: 230, truncated: false });
    expect(requests).toEqual(['1/1', '3/100', '2/100', '1/100']);
    requests = [];
    expect(await run({ limit: 30 })).toMatchObject({ ids: newest(30), truncated: true });
    expect(requests.slice(0, 2)).toEqual(['1/1', '3/100']);
  });

  // @covers drift.github-does-say
  it.each<[string, Partial<ServerBehaviour>]>([
    ['pages of 30 at most', { sizeOf: (requested) => Math.min(requested, 30) }],
    ['pages of 90 at most', { sizeOf: (requested) => Math.min(requested, 90) }],
    ['pages of 30 for any requested size', { sizeOf: () => 30 }],
    ['pages of 115 for any requested size', { sizeOf: () => 115 }],
    ['pages of 150 at least', { sizeOf: (requested) => Math.max(requested, 150) }],
    ['all on one page', { sizeOf: () => 500 }],
    ['relations without quotes', { link: (address, relation) => `<${address}>; rel=${relation}` }],
    ['no link to the last page', { link: usualWithout('last') }],
    ['no link to the last page, and pages of 30', { link: usualWithout('last'), sizeOf: () => 30 }],
    ['no links to other pages', { link: () => '' }],
    [
      'no links to other pages, and pages of 150 at least',
      { link: () => '', sizeOf: (requested) => Math.max(requested, 150) },
    ],
    ['no links to other pages, and all on each page', { link: () => '', sizeOf: () => 500, isUnpaged: true }],
    ['spaces around the relation', { link: (address, relation) => `<${address}> ; rel = "${relation}"` }],
  ])('lists all pull requests with %s', async (_, other) => {
    behaviour = { ...USUAL, ...other };
    const { ids, total, cursor, truncated } = await run();
    expect([ids, total, truncated]).toEqual([newest(230), 230, false]);
    expect(await run({ limit: 120 })).toMatchObject({ ids: newest(120), truncated: true });
    const listed: string[] = [];
    for await (const page of ghPulls.listIds({ client: clientOf(), settings })) listed.push(...page);
    expect(listed.sort((a, b) => Number(b) - Number(a))).toEqual(newest(230));
    expect(
      await ghPulls.estimate({
        client: clientOf(),
        settings,
        cursor: null,
        limit: 1000,
        stored: nothingStored,
      }),
    ).toMatchObject({
      total: 230,
      records: 230,
    });

    behaviour = { ...behaviour, pulls: 233 };
    const since = await run({ cursor });
    expect([since.ids.slice(0, 3), since.total]).toEqual([newest(3, 233), 233]);
  });

  it('resumes with the page size found before', async () => {
    behaviour = { ...USUAL, sizeOf: (requested) => Math.min(requested, 30) };
    const source = read({});
    const pages = [await source.next(), await source.next()].map(({ value }) => value as Page);
    await source.return({ cursor: null, truncated: false });
    const rest = await run({ checkpoint: pages[1]?.checkpoint ?? null });
    expect([...idsOf(pages), ...rest.ids]).toEqual(newest(230));
  });

  it('requests a restart when the page size changes during a run', async () => {
    behaviour = USUAL;
    const source = read({});
    const { value } = await source.next();
    await source.return({ cursor: null, truncated: false });
    behaviour = { ...USUAL, sizeOf: (requested) => Math.min(requested, 30) };
    await expect(run({ checkpoint: (value as Page).checkpoint })).rejects.toMatchObject({
      failure: 'cursor-expired',
    });
  });

  it('continues past pages with hidden pull requests up to the limit', async () => {
    behaviour = { ...USUAL, hidden: 60 };
    const all = await run();
    expect([all.ids.length, all.total, all.truncated]).toEqual([30 + 40 + 40, 230, false]);
    expect(await run({ limit: 100 })).toMatchObject({ ids: all.ids.slice(0, 100), truncated: true });
  });

  it('reports a page size that changes on every request as malformed', async () => {
    let size = 100;
    const shrink = () => {
      size = Math.max(2, Math.floor(0.9 * size));
      return size;
    };
    behaviour = { ...USUAL, pulls: 5000, sizeOf: (requested) => (requested === 1 ? 1 : shrink()) };
    await expect(run()).rejects.toMatchObject({ failure: 'malformed' });
  });

  it('sends one extra request when a single pull request comes without links', async () => {
    behaviour = { ...USUAL, pulls: 1 };
    expect(await run()).toMatchObject({ ids: ['1'], total: 1, truncated: false });
    expect(requests).toEqual(['1/1', '2/1', '1/100']);
  });

  // @covers drift.github-does-say
  it('reads changes on a second page that no link names', async () => {
    behaviour = { ...USUAL, link: () => '' };
    const { cursor } = await run();
    behaviour = { ...behaviour, changed: 150 };
    const { ids } = await run({ cursor });
    expect(new Set(ids)).toEqual(new Set(newest(150)));
  });

  it('reports an endless list as malformed', async () => {
    behaviour = { ...USUAL, pulls: Number.POSITIVE_INFINITY, link: usualWithout('last') };
    await expect(run()).rejects.toMatchObject({ failure: 'malformed' });
  });

  // @covers transport.answers-take-long
  it('lists ids by concurrent requests, newest first', async () => {
    const isFull = () => vi.waitFor(() => expect(maxInFlight).toBe(5), LONG_TIMEOUT_MS);
    // After the count, which is a single request.
    behaviour = { ...USUAL, pulls: 930, hold: () => (requests.length > 0 ? isFull() : undefined) };
    const ids: string[] = [];
    for await (const some of ghPulls.listIds({ client: clientOf(5), settings })) ids.push(...some);
    expect(ids).toEqual(newest(930, 930));
    expect(maxInFlight).toBe(5);
  });

  it('stops requesting pages when the caller stops reading ids', async () => {
    behaviour = { ...USUAL, pulls: 50_000 };
    const client = clientOf(5);
    for await (const some of ghPulls.listIds({ client, settings })) if (some.includes('49850')) break;
    expect(requests.length).toBeLessThanOrEqual(1 + 2 + client.prefetchCount);
  });

  it('counts pull requests opened during an incremental run without a full run', async () => {
    behaviour = USUAL;
    const { cursor } = await run();
    behaviour = { ...USUAL, pulls: 231 };
    requests = [];
    let opened = 0;
    const opening = (requested: number) => {
      // Two more exist by the time of the count.
      if (requested === 1 && opened++ === 0) behaviour = { ...behaviour, pulls: 233 };
      return requested;
    };
    behaviour = { ...behaviour, sizeOf: opening };
    const since = await run({ cursor });
    expect(requests).toEqual(['1/100', '1/1', '1/100', '1/1']);
    expect(since.ids).toEqual(expect.arrayContaining(['231', '232', '233']));
    expect(since.total).toBe(233);
    expect((await run({ cursor: since.cursor })).total).toBe(233);

    behaviour = { ...USUAL, pulls: 232 };
    await expect(run({ cursor: since.cursor })).rejects.toMatchObject({ failure: 'cursor-expired' });
  });
});
