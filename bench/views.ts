/**
 * `node bench/views.ts [records]`: views over many pull requests of about 2 KB on a real server. Prints the first page
 * (cold) beside the time to read and parse the rows, the second page (warm), a chain of three views beside one view with
 * the composed expression, a download, and queries with and without the database's part.
 */
import { Client, startTestServer } from '../packages/server/test-support/test-server.ts';
import { insertOf, PULLS } from './growth/rows.ts';

interface View {
  _id: string;
}

const RECORDS = Number(process.argv[2] ?? 100_000);
const ROUNDS = 3;
const WORDS = 'the quick brown fox jumps over a lazy dog while nobody looks at all ';
const ENTITY = { providerId: 'github', entityLabel: 'gh-pulls' };

const server = await startTestServer({}, { hasOwnPostgres: true });
const { context } = server.product;

async function insertRecords(): Promise<void> {
  const source = {
    ...PULLS,
    data: PULLS.data.replace(/'body', .*\)/s, `'body', repeat('${WORDS}', 24) || i)`),
  };
  await context.db.$client.query(insertOf(source), [1, RECORDS]);
  await touchRecords();
}

/** Increments the data version like a sync, which invalidates the caches. */
async function touchRecords(): Promise<void> {
  await context.db.$client.query(`
    insert into record_versions (user_id, connection_id, entity, version, records, extraction)
    select user_id, id, 'gh-pulls', 1, ${RECORDS}, ${PULLS.extraction} from connections where provider = 'github'
    on conflict (user_id, connection_id, entity) do update set version = record_versions.version + 1`);
}

async function timed<T>(work: () => Promise<T>): Promise<[ms: number, result: T]> {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

/** Reads and parses the rows here, as simply as it can be done. */
async function readAndParse(): Promise<number> {
  const { rows } = await context.db.$client.query<{ data: unknown }>(
    'select data from gh_pulls order by occurred_at desc, id desc',
  );
  return rows.length;
}

let ada: Client;

function createView(title: string, jsonNataQuery: string, basedOn?: string): Promise<View> {
  return ada.post<View>('/api/data/views', {
    ...ENTITY,
    title,
    description: title,
    jsonNataQuery,
    ...(basedOn ? { basedOn } : { templateKey: 'pulls-all' }),
  });
}

function readPage(view: View, number = 1): Promise<{ count: number }> {
  return ada.get<{ count: number }>(`/api/data/views/aggregate/${view._id}?page=${number}`);
}

interface QueryAnswer {
  count: number;
  rows: number;
  /** The part that the database evaluated; missing if there is none. */
  pushedDown?: { text: string; rows: number };
}

function query(jsonNataQuery: string): Promise<QueryAnswer> {
  return ada.post<QueryAnswer>('/api/data/query', {
    entryCollection: 'gh-pulls',
    templateKey: 'pulls-all',
    jsonNataQuery,
  });
}

const STEPS = [
  '$.{"n": number, "who": user.login, "size": additions + deletions}',
  '$[size > 100]',
  '$^(>size)',
] as const;
const COMPOSED = '$.{"n": number, "who": user.login, "size": additions + deletions}[size > 100]^(>size)';

/** Creates a view with the composed expression and a chain of three views. @returns it, and the end of the chain */
async function createViews(): Promise<{ one: View; last: View }> {
  const one = await createView('One view', COMPOSED);
  const first = await createView('First', STEPS[0]);
  const second = await createView('Second', STEPS[1], first._id);
  return { one, last: await createView('Third', STEPS[2], second._id) };
}

/** Prints the first page of a view and of a chain (cold) and further pages (warm), ms. */
async function measurePages(): Promise<void> {
  const views = await createViews();
  const least = { read: Infinity, one: Infinity, chain: Infinity, warm: Infinity };
  await readPage(views.one);
  for (let round = 0; round < ROUNDS; round++) {
    const [read, count] = await timed(readAndParse);
    if (count !== RECORDS) throw new Error(`${count} rows`);
    await touchRecords();
    const [one, ofOne] = await timed(() => readPage(views.one));
    await touchRecords();
    const [chain, ofChain] = await timed(() => readPage(views.last));
    if (ofOne.count !== ofChain.count) throw new Error('the chain has another result');
    for (let number = 2; number < 12; number++) {
      const [warm] = await timed(() => readPage(views.last, number));
      least.warm = Math.min(least.warm, warm);
    }
    least.read = Math.min(least.read, read);
    least.one = Math.min(least.one, one);
    least.chain = Math.min(least.chain, chain);
  }
  console.log(`${RECORDS} records, best of ${ROUNDS}`);
  console.log(`read and parse the rows            ${least.read.toFixed(0)} ms`);
  console.log(
    `first page, cold                   ${least.one.toFixed(0)} ms, ${(least.one / least.read).toFixed(2)} times (goal: under 3)`,
  );
  console.log(
    `chain of three views, cold         ${least.chain.toFixed(0)} ms, ${(least.chain / least.one).toFixed(2)} times one view (goal: at most 1.2)`,
  );
  console.log(`another page, warm                 ${least.warm.toFixed(1)} ms (goal: under 20)`);
}

/** Prints the time of a download of all rows, and by how much the memory of server and reader grew. */
async function measureDownload(): Promise<void> {
  const whole = await createView('Whole', '$');
  await readPage(whole);
  const before = process.memoryUsage();
  let most = 0;
  const [ms, bytes] = await timed(async () => {
    const response = await ada.call('GET', `/api/data/views/download/${whole._id}?format=ndjson`);
    let total = 0;
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      total += chunk.length;
      const { heapUsed, external } = process.memoryUsage();
      most = Math.max(most, heapUsed + external - before.heapUsed - before.external);
    }
    return total;
  });
  console.log(
    `download of ${(bytes / 1e6).toFixed(0)} MB                 ${ms.toFixed(0)} ms; server and reader grew by at most ${(most / 1e6).toFixed(0)} MB`,
  );
}

/** Queries that the database evaluates in part, each with the same query spelled so that it cannot. */
const PUSH_DOWNS = [
  [
    'filter on columns',
    '$[created_at >= "2024-12-01" and user.login = "user7"].number',
    '$[(created_at & "") >= "2024-12-01" and user.login & "" = "user7"].number',
  ],
  [
    'filter on documents',
    '$[additions > 1990 and "label3" in labels.name].number',
    '$[(additions + 0) > 1990 and "label3" in labels.name].number',
  ],
  ['first ten', '$^(>created_at)[[0..9]].number', '$^(>created_at & "")[[0..9]].number'],
  ['count', '$count($)', '$count($[true])'],
] as const;

/** Prints the time of one query with and without the database's part. */
async function measurePushDown([name, fast, slow]: (typeof PUSH_DOWNS)[number]): Promise<void> {
  let [fastest, fastestWithout] = [Infinity, Infinity];
  let part = '';
  for (let round = 0; round < ROUNDS; round++) {
    await touchRecords();
    const [fastMs, answer] = await timed(() => query(fast));
    part = `${answer.pushedDown?.text}: ${answer.pushedDown?.rows} of ${answer.rows} rows read`;
    await touchRecords();
    const [slowMs, other] = await timed(() => query(slow));
    if (other.pushedDown || other.count !== answer.count)
      throw new Error(`${name}: ${JSON.stringify(other).slice(0, 200)}`);
    fastest = Math.min(fastest, fastMs);
    fastestWithout = Math.min(fastestWithout, slowMs);
  }
  console.log(
    `${name.padEnd(20)} ${fastest.toFixed(0).padStart(6)} ms, without ${fastestWithout.toFixed(0)} ms: ${(fastestWithout / fastest).toFixed(1)} times faster (${part})`,
  );
}

async function main(): Promise<void> {
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await insertRecords();
  await measurePages();
  await measureDownload();
  console.log("\nthe database's part, the same query spelled so that it has none beside it");
  for (const queries of PUSH_DOWNS) await measurePushDown(queries);
}

try {
  await main();
} finally {
  await server.remove();
}
