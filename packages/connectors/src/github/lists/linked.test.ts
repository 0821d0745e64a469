import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nothingStored } from '../../../test-support/nothing-stored.ts';
import { type SmallServer, startSmallServer } from '../../sdk/conformance/small-server.ts';
import { type Completion, type Json, type Page, ProviderClient, Scheduler } from '../../sdk/index.ts';
import { ghPulls } from '../pulls/entity.ts';

const PULLS = 250;
const settings = { owner: 'acme', repo: 'box' };

/** What the Link header of a page needs: its address, the position after it, its page number and its size. */
interface LinkedPage {
  origin: string;
  path: string;
  query: URLSearchParams;
  after: number;
  page: number;
  last: number;
}
/** Returns the Link header of a page that is not the last one. */
type Links = (page: LinkedPage) => string;

let links: Links;
/** Whether the server reads `page`, `after` or neither. */
let readsBy: 'page' | 'after' | 'nothing';
let addresses: string[];
let hosts: Set<string>;
let server: SmallServer;

beforeEach(async () => {
  addresses = [];
  hosts = new Set();
  server = await startSmallServer((request, response) => {
    addresses.push(request.url ?? '');
    hosts.add(request.headers.host ?? '');
    const url = new URL(request.url ?? '', server.url);
    const size = Number(url.searchParams.get('per_page') ?? 100);
    const page = readsBy === 'page' ? Number(url.searchParams.get('page') ?? 1) : 1;
    const after = readsBy === 'after' ? Number(url.searchParams.get('after') ?? 0) : 0;
    const first = readsBy === 'page' ? (page - 1) * size : after;
    const isDescending = url.searchParams.get('direction') === 'desc';
    const numbers = Array.from({ length: Math.max(0, Math.min(size, PULLS - first)) }, (_, index) =>
      isDescending ? PULLS - first - index : first + index + 1,
    );
    const query = new URLSearchParams(url.searchParams);
    const last = Math.ceil(PULLS / size);
    const about = { origin: server.url, path: url.pathname, query, after: first + size, page, last };
    const link = first + size < PULLS ? links(about) : '';
    response.writeHead(200, { 'content-type': 'application/json', ...(link ? { link } : {}) });
    response.end(JSON.stringify(numbers.map(pullOf)));
  });
});
afterEach(() => server.close());

function pullOf(number: number) {
  const at = new Date(Date.UTC(2026, 0, 1, number)).toISOString();
  return { id: number, number, created_at: at, updated_at: at };
}

function client(): ProviderClient {
  return new ProviderClient({
    connector: { title: 'Stand-in', apiUrl: server.url, classify: () => ({ kind: 'retry', message: 'no' }) },
    scheduler: new Scheduler({ concurrency: 1, unitsPerMinute: Number.POSITIVE_INFINITY }),
    credentials: async () => ({ accessToken: 'token' }) as never,
    signal: new AbortController().signal,
  });
}

function read(saved: { cursor?: Json; checkpoint?: Json; limit?: number }): AsyncGenerator<Page, Completion> {
  const { signal } = new AbortController();
  return ghPulls.read({
    client: client(),
    settings,
    checkpoint: null,
    cursor: null,
    limit: 1000,
    signal,
    stored: nothingStored,
    ...saved,
  });
}

async function run(saved: Parameters<typeof read>[0] = {}) {
  const pages: Page[] = [];
  const source = read(saved);
  for (;;) {
    const next = await source.next();
    if (next.done) return { pages, ids: idsOf(pages), ...next.value };
    pages.push(next.value);
  }
}

function idsOf(pages: readonly Page[]): string[] {
  return pages.flatMap(({ records }) => records.map(({ id }) => id));
}

function newest(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(PULLS - index));
}

function withQuery({ query }: LinkedPage, changes: Record<string, number | string>): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) changed.set(name, String(value));
  return String(changed);
}
const byPage = (page: LinkedPage, number = page.page + 1) => withQuery(page, { page: number });
const cursorOf = (page: LinkedPage) => {
  const { query } = page;
  query.delete('page');
  return withQuery(page, { after: page.after });
};
const at = (page: LinkedPage, query: string) => `${page.origin}${page.path}?${query}`;

describe('Link headers of pull request lists', () => {
  // @covers drift.github-cursor-links
  it.each<[string, 'page' | 'after', Links]>([
    ['page numbers', 'page', (page) => `<${at(page, byPage(page))}>; rel="next"`],
    [
      'page numbers of next and last',
      'page',
      (page) => `<${at(page, byPage(page))}>; rel="next", <${at(page, byPage(page, page.last))}>; rel="last"`,
    ],
    ['relative page numbers', 'page', (page) => `<?${byPage(page)}>; rel="next"`],
    ['page numbers of another host', 'page', (page) => `<https://elsewhere.test/?${byPage(page)}>; rel=next`],
    ['only a last page', 'page', (page) => `<${at(page, byPage(page, page.last))}>; rel="last"`],
    ['no links', 'page', () => ''],
    ['links that lead elsewhere', 'page', () => '<https://cdn.test/a.css>; rel=preload'],
    ['text that is no link', 'page', () => 'next'],
    ['a link without its end', 'page', (page) => `<${at(page, byPage(page))}; rel="next"`],
    ['cursors', 'after', (page) => `<${at(page, cursorOf(page))}>; rel="next"`],
    [
      'cursors beside page numbers',
      'after',
      (page) => `<${at(page, withQuery(page, { page: page.page + 1, after: page.after }))}>; rel="next"`,
    ],
    [
      'cursors of another path',
      'after',
      (page) => `<${page.origin}/repositories/7/x?${cursorOf(page)}>; rel=next`,
    ],
    ['cursors relative to the host', 'after', (page) => `<${page.path}?${cursorOf(page)}>; rel="next"`],
    ['cursors relative to the path', 'after', (page) => `<?${cursorOf(page)}>; rel="next"`],
    ['cursors without a scheme', 'after', (page) => `<${at(page, cursorOf(page)).slice(5)}>; rel="next"`],
    ['cursors in capital relations', 'after', (page) => `<${at(page, cursorOf(page))}>; REL="NEXT"`],
    ['cursors without quotes', 'after', (page) => `<${at(page, cursorOf(page))}>;rel=next`],
    ['cursors of several relations', 'after', (page) => `<${at(page, cursorOf(page))}>; rel="prefetch next"`],
    [
      'cursors after other links',
      'after',
      (page) => `<https://x.test/a,b>; rel=prev; title="rel=next", <${at(page, cursorOf(page))}>; rel="next"`,
    ],
    ['cursors with commas', 'after', (page) => `<${at(page, cursorOf(page))}&x=1,2;3>; rel="next"`],
    ['blanks in the address', 'after', (page) => `< ${at(page, cursorOf(page))} >; rel="next"`],
  ])('reads all pull requests by %s', async (_, by, header) => {
    [links, readsBy] = [header, by];
    const all = await run();
    expect([all.ids, all.truncated]).toEqual([newest(PULLS), false]);
    expect([...hosts]).toEqual([new URL(server.url).host]);
    expect(await run({ limit: 120 })).toMatchObject({ ids: newest(120), truncated: true });
    expect(await run({ limit: PULLS })).toMatchObject({ ids: newest(PULLS), truncated: false });
    const [first] = all.pages;
    const rest = await run({ checkpoint: first?.checkpoint ?? null });
    expect([...idsOf(first ? [first] : []), ...rest.ids]).toEqual(newest(PULLS));
    const [since] = await Promise.allSettled([run({ cursor: all.cursor })]);
    if (by === 'page') expect(since?.status).toBe('fulfilled');
    else expect(since).toMatchObject({ reason: { failure: 'cursor-expired' } });
  });

  // @covers drift.github-cursor-links
  it.each<[string, 'page' | 'after' | 'nothing', Links]>([
    ['cursors of another host', 'after', (page) => `<https://elsewhere.test/?${cursorOf(page)}>; rel="next"`],
    ['cursors of another port', 'after', (page) => `<http://127.0.0.1:1/?${cursorOf(page)}>; rel="next"`],
    ['cursors of another scheme', 'after', (page) => `<ftp://127.0.0.1/?${cursorOf(page)}>; rel="next"`],
    ['an empty address', 'after', () => '<>; rel="next"'],
    ['an address that is none', 'after', () => '<http://[>; rel="next"'],
    [
      'a header that is too long',
      'after',
      (page) => `<${at(page, cursorOf(page))}&x=${'x'.repeat(5000)}>; rel=next`,
    ],
    ['no links, and page numbers that are ignored', 'nothing', () => ''],
    ['cursors that are ignored', 'nothing', (page) => `<${at(page, cursorOf(page))}>; rel="next"`],
    [
      'ever new cursors that are ignored',
      'nothing',
      (page) => `<${at(page, withQuery(page, { after: addresses.length }))}>; rel="next"`,
    ],
    [
      'cursors in a loop',
      'after',
      (page) => `<${at(page, withQuery(page, { after: page.after % 200 }))}>; rel="next"`,
    ],
  ])('fails for %s', async (_, by, header) => {
    [links, readsBy] = [header, by];
    await expect(run()).rejects.toMatchObject({ failure: 'malformed' });
    expect([...hosts]).toEqual([new URL(server.url).host]);
  });

  it('estimates a list of cursors by the limit', async () => {
    [links, readsBy] = [(page) => `<${at(page, cursorOf(page))}>; rel="next"`, 'after'];
    const estimate = await ghPulls.estimate({
      client: client(),
      settings,
      cursor: null,
      limit: 1000,
      stored: nothingStored,
    });
    expect(estimate).toEqual({ total: null, records: 1000, requests: 11, units: 11 });
    const listed: string[] = [];
    for await (const ids of ghPulls.listIds({ client: client(), settings })) listed.push(...ids);
    expect(listed).toEqual(newest(PULLS));
  });
});
