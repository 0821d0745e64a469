/**
 * `node bench/deletion.ts [--check] [records]`: what another user notices while all data of a user is deleted (40,000
 * records), and while a sync of 5,000 records is undone. Prints the slowest page from the start of the call until nothing is
 * left, beside the same pages before. With `--check` it exits 1 when a page takes longer than 200 ms.
 */
import { parseArgs } from 'node:util';
import { type Database, openDatabase } from '../packages/server/src/platform/db/database.ts';
import { createLogger } from '../packages/server/src/platform/log.ts';
import { runSync, SYNCS, until } from '../packages/server/test-support/syncing.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { percentile } from './percentile.ts';
import { withProduct } from './product.ts';
import { startProbe } from './stranger/start-probe.ts';

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const RECORDS = Number(positionals[0] ?? 40_000);
const SYNCED = 5000;
const GOAL_MS = 200;
const QUIET_MS = 5000;
const PAGES = [
  '/api/accounts',
  '/api/integrations/entities/aggregation/gh-pulls/pulls-all?page=1',
  '/api/integrations/providers',
];
let missed = 0;

/** Stores copies of one of a user's pull requests beside it. */
async function copyRecords({ $client: pool }: Database, userId: string, count: number): Promise<void> {
  await pool.query(
    `insert into gh_pulls (user_id, connection_id, id, scopes, occurred_at, hash, extraction, created_sync, changed_sync, data)
    select user_id, connection_id, 'many-' || n, scopes, occurred_at, hash, extraction, created_sync, changed_sync,
      json_build_object('text', repeat(md5(n::text), 60))
    from (select * from gh_pulls where user_id = $1 limit 1) r, generate_series(1, $2::int) n`,
    [userId, count],
  );
}

async function isGone({ $client: pool }: Database): Promise<boolean> {
  const { rowCount } = await pool.query("select 1 from gh_pulls where id like 'many-%' limit 1");
  return rowCount === 0;
}

function show(title: string, times: readonly number[]): void {
  const [p99, most] = [0.99, 1].map((share) => percentile(times, share).toFixed(0).padStart(5));
  console.log(
    `${title.padEnd(46)} ${String(times.length).padStart(5)} pages, p99 ${p99} ms, most ${most} ms`,
  );
}

await withProduct({ sandbox: [`--pulls=${SYNCED}`] }, async ({ client, server, database }) => {
  const db = openDatabase(database, createLogger('silent'), 2);
  const reader = await new Client(server).demo();
  const probe = startProbe({ url: server.url, paths: PAGES, token: reader.token, everyMs: 5 });
  const measure = async (title: string, work: () => Promise<string>) => {
    await probe.reads();
    const found = await work();
    const times = (await probe.reads()).map(([, ms]) => ms);
    show(`${title}${found}`, times);
    if (title !== 'before' && Math.max(...times) > GOAL_MS) missed++;
  };
  const quiet = () => new Promise<string>((resolve) => setTimeout(resolve, QUIET_MS, ''));
  try {
    await client.connect('github', 'ada-nowak');
    const settings = { owner: 'bench', repo: `pulls-${SYNCED}` };
    const { _id, status, summary } = await runSync(client, 'gh-pulls', settings);
    await measure('before', quiet);
    await measure(`undo of a ${status} sync of ${summary.entitiesSynced} records`, async () => {
      const begun = performance.now();
      await client.json('DELETE', `${SYNCS}/${_id}`);
      return `, ${(performance.now() - begun).toFixed(0)} ms`;
    });
    await runSync(client, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
    const { _id: userId } = await client.get<{ _id: string }>('/api/accounts');
    await copyRecords(db, userId, RECORDS);
    await measure('before', quiet);
    await measure(`deletion of ${RECORDS} records`, async () => {
      const begun = performance.now();
      await client.json('DELETE', '/api/accounts/delete-data');
      const answered = performance.now() - begun;
      await until(() => isGone(db), 600_000);
      return `, answered after ${answered.toFixed(0)} ms, done after ${(performance.now() - begun).toFixed(0)} ms`;
    });
  } finally {
    await probe.end();
    await db.$client.end();
  }
});
console.log(missed === 0 ? `no page above ${GOAL_MS} ms` : `MISSED: pages above ${GOAL_MS} ms`);
if (values.check && missed > 0) process.exitCode = 1;
