/**
 * `node bench/search.ts --mails FOLDER [--count N] [--generated] [--only search|sync] [--round-trip MS] [--check]`: searches
 * of one to three words with an operator over 100,000 mails of one user, beside `notmuch` (Debian) on the same mails: p50 and
 * p99 of the requests and the size of the index; then what indexing adds to a sync of 5,000 mails from Dovecot, which is
 * `--round-trip` away. FOLDER (or BENCH_MAILS) holds spamassassin-1000.tar.xz; the mails are its mails, repeated with changed
 * words, or with `--generated` made of its words, 1,000,000 unless `--count` says otherwise. `--check` fails when a goal is
 * missed.
 */
import { parseArgs } from 'node:util';
import { DOVECOT_MISSING } from '../packages/connectors/test-support/imap/index.ts';
import { SEARCH_BOUNDS, type SearchResults } from '../packages/contract/src/index.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { percentile } from './percentile.ts';
import { type BenchMail, MailMaker, readSampleMails } from './search/mails.ts';
import { Notmuch } from './search/notmuch.ts';
import { makeQueries } from './search/queries.ts';
import { measureSlowdown } from './search/slowdown.ts';
import { MailStore } from './search/store.ts';

const { values } = parseArgs({
  options: {
    mails: { type: 'string', default: process.env.BENCH_MAILS ?? '' },
    count: { type: 'string' },
    only: { type: 'string' },
    'round-trip': { type: 'string', default: '0' },
    generated: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const COUNT = Number(values.count ?? (values.generated ? 1_000_000 : 100_000));
const QUERIES = 300;
const WARM_UP = 20;
const STEP = 1000;
/** Goal of the 99th percentile, ms. */
const GOAL_MS = COUNT > 100_000 ? 150 : 50;
/** Mails of a sync, at most those of the plan pro; rounds with and without the index; goal of the slowdown. */
const SYNCED = 5000;
const SYNC_ROUNDS = 4;
const GOAL_PERCENT = 20;

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

interface Timed {
  name: string;
  times: number[];
  found: number;
}

/** Runs a search for each query, one after the other. @param work returns the number of results */
async function timed<Query>(
  name: string,
  queries: readonly Query[],
  work: (query: Query) => Promise<number> | number,
): Promise<Timed> {
  for (const query of queries.slice(0, WARM_UP)) await work(query);
  const times: number[] = [];
  let found = 0;
  for (const query of queries) {
    const begun = performance.now();
    if ((await work(query)) > 0) found++;
    times.push(performance.now() - begun);
  }
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(1).padStart(8));
  console.log(
    `${name.padEnd(34)} p50 ${p50} ms, p99 ${p99} ms, most ${most} ms; ${found} of ${queries.length} found something`,
  );
  return { name, times, found };
}

/** Fills both stores with the same mails. @returns some of the mails */
async function fill(store: MailStore, notmuch: Notmuch | undefined, maker: MailMaker): Promise<BenchMail[]> {
  const kept: BenchMail[] = [];
  let seconds = 0;
  for (let first = 0; first < COUNT; first += STEP) {
    const mails = Array.from({ length: Math.min(STEP, COUNT - first) }, (_, place) =>
      maker.make(first + place),
    );
    seconds += await store.add(mails);
    for (const mail of mails) notmuch?.add(mail);
    kept.push(...mails.filter((_, place) => place % Math.ceil(COUNT / QUERIES / 10) === 0));
  }
  await store.vacuum();
  console.log(`product: ${COUNT} mails stored and indexed in ${seconds.toFixed(0)} s`);
  const sizes = await store.sizes();
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  console.log(`product: index of ${megabytes(total)}`);
  for (const [name, bytes] of sizes) console.log(`  ${name.padEnd(30)} ${megabytes(bytes).padStart(12)}`);
  if (notmuch) {
    const begun = performance.now();
    notmuch.index();
    const indexed = ((performance.now() - begun) / 1000).toFixed(0);
    console.log(
      `notmuch: ${COUNT} mails indexed in ${indexed} s, index of ${megabytes(notmuch.indexSize())}`,
    );
  }
  return kept;
}

/** Measures what follows when a search finds nothing, and what a page asks beside it. */
async function measureOthers(client: MailStore['client'], queries: readonly string[]): Promise<void> {
  const path = (name: string, q: string) => `/api/data/${name}?${new URLSearchParams({ q })}`;
  const search = async (q: string) => (await client.get<SearchResults>(path('search', q))).count;
  await timed('  a page of results with facets', queries, async (q) => {
    return (await client.get<SearchResults>(`${path('search', q)}&facets=true`)).count;
  });
  const words = queries.flatMap((q) => q.split(' ').filter((word) => /^[a-z]{6,}$/i.test(word)));
  const misspelled = words.map((word) => `from:${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`);
  await timed('  misspelled senders', misspelled.slice(0, 50), search);
  await timed('  parts of words', words.map((word) => word.slice(1, -1)).slice(0, 50), search);
  const values = words.slice(0, 50).map((word) => word.slice(0, 3));
  await timed('  completion of senders', values, async (text) => {
    const query = new URLSearchParams({ operator: 'from', text });
    return (await client.get<unknown[]>(`/api/data/search/values?${query}`)).length;
  });
}

/** Fills both stores and measures their searches. @returns the missed goals */
async function measureSearches(folder: string): Promise<string[]> {
  const store = await MailStore.start();
  try {
    const samples = await readSampleMails(values.mails, folder);
    const notmuch = Notmuch.isMissing() ? undefined : new Notmuch(folder);
    if (!notmuch) console.log('notmuch is not installed (Debian: apt-get install notmuch)');
    const mails = await fill(store, notmuch, new MailMaker(samples, { isGenerated: values.generated }));
    const queries = makeQueries(mails, QUERIES);
    const { client } = store;
    // notmuch held this process, and with it the product, for minutes: its connections have expired.
    for (let attempt = 0; attempt < 3; attempt++)
      await client
        .get('/api/data/search')
        .catch((error: Error) => console.log(`warming up: ${error.message}`));
    const product = await timed('product: a page of results', queries, async ({ product: q }) => {
      return (await client.get<SearchResults>(`/api/data/search?${new URLSearchParams({ q })}`)).count;
    });
    if (notmuch) {
      const search = (query: string, limit: number) => notmuch.search(query, limit).length;
      await timed('notmuch search, a process each', queries, (query) => search(query.notmuch, 20));
      await timed('notmuch search of as many', queries, (query) =>
        search(query.notmuch, SEARCH_BOUNDS.candidates),
      );
      await timed('notmuch count', queries, (query) => notmuch.count(query.notmuch));
    }
    console.log('product, further requests:');
    await measureOthers(
      client,
      queries.slice(0, 100).map((query) => query.product),
    );
    const p99 = percentile(product.times, 0.99);
    console.log(`p99 ${p99.toFixed(1)} ms (goal ${GOAL_MS} ms)`);
    return p99 > GOAL_MS ? ['p99'] : [];
  } finally {
    await store.server.remove();
  }
}

/** Measures what indexing adds to a sync. @returns the missed goals */
async function measureSyncs(folder: string): Promise<string[]> {
  if (DOVECOT_MISSING) throw new Error(DOVECOT_MISSING);
  const mails = Math.min(SYNCED, COUNT);
  const roundTripMs = Number(values['round-trip']);
  const ratio = await measureSlowdown(values.mails, { folder, mails, rounds: SYNC_ROUNDS, roundTripMs });
  const percent = 100 * (ratio - 1);
  console.log(`indexing adds ${percent.toFixed(0)} % to a sync (goal ${GOAL_PERCENT} %)`);
  return percent > GOAL_PERCENT ? ['slowdown of a sync'] : [];
}

const folder = makeTemporaryFolder('datadeck-search-');
try {
  const missed = [
    ...(values.only === 'sync' ? [] : await measureSearches(folder)),
    ...(values.only === 'search' ? [] : await measureSyncs(folder)),
  ];
  console.log(missed.length === 0 ? 'ok' : `MISSED: ${missed.join(', ')}`);
  if (values.check && missed.length > 0) process.exitCode = 1;
} finally {
  removeDataFolder(folder);
}
