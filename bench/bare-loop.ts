/**
 * The plainest program that does what a sync does: fetches, parses and inserts the same records, with as many requests
 * at once. `bench/sync.ts` runs it as a process of its own, with what to do as JSON on its command line, and reads from
 * its output how many records it stored, in how many seconds, with how much processor time of its own.
 */
import pg from 'pg';

/** What the loop is to read and where it stores it. */
export interface BareTask {
  kind: 'pulls' | 'messages';
  apiUrl: string;
  token: string;
  /** Owner and name of a repository; unused for messages. */
  repository: string;
  records: number;
  requestsAtOnce: number;
  database: pg.PoolConfig;
}

const PAGE = 100;
const task = JSON.parse(process.argv[2] ?? '{}') as BareTask;
const pool = new pg.Pool({ ...task.database, max: task.requestsAtOnce });

async function get<T>(path: string): Promise<T> {
  const response = await fetch(task.apiUrl + path, { headers: { authorization: `Bearer ${task.token}` } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}

async function insert(records: { id: number | string }[]): Promise<void> {
  await pool.query('insert into bare (id, data) select * from unnest($1::text[], $2::json[])', [
    records.map(({ id }) => String(id)),
    records.map((record) => JSON.stringify(record)),
  ]);
}

/** Does each item's work, several at once. */
async function eachOf<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: task.requestsAtOnce }, worker));
}

async function storePulls(): Promise<void> {
  const pages = Array.from({ length: Math.ceil(task.records / PAGE) }, (_, index) => index + 1);
  await eachOf(pages, async (page) =>
    insert(await get(`/repos/${task.repository}/pulls?state=all&per_page=${PAGE}&page=${page}`)),
  );
}

async function storeMessages(): Promise<void> {
  const ids: string[] = [];
  for (let pageToken = ''; ids.length < task.records; ) {
    const list = await get<{ messages: { id: string }[]; nextPageToken?: string }>(
      `/gmail/v1/users/me/messages?labelIds=INBOX&maxResults=500${pageToken && `&pageToken=${pageToken}`}`,
    );
    ids.push(...list.messages.map(({ id }) => id));
    if (list.nextPageToken === undefined) break;
    pageToken = list.nextPageToken;
  }
  let batch: { id: string }[] = [];
  await eachOf(ids, async (id) => {
    const message = await get<{ id: string }>(`/gmail/v1/users/me/messages/${id}?format=full`);
    batch.push(message);
    if (batch.length < PAGE) return;
    const full = batch;
    batch = [];
    await insert(full);
  });
  await insert(batch);
}

const begun = performance.now();
const before = process.cpuUsage();
await (task.kind === 'pulls' ? storePulls() : storeMessages());
const used = process.cpuUsage(before);
const seconds = (performance.now() - begun) / 1000;
const { rows } = await pool.query<{ stored: number }>('select count(*)::int as stored from bare');
await pool.end();
console.log(
  JSON.stringify({ stored: rows[0]?.stored, seconds, processorSeconds: (used.user + used.system) / 1e6 }),
);
