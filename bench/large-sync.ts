/**
 * `node bench/large-sync.ts [records] [--check]`: one sync of 200,000 messages (or as many as given) by a plan without a
 * cap. Prints for each tenth the records a second and the most resident memory of the server's process; kills the server
 * with -9 in the middle, starts it again and lets the sync resume; compares every stored row with the mailbox. Beside
 * them the same sync of 10,000 messages in the same minute. With --check it exits 1 when a goal is missed.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readSync, startSync } from '../packages/server/test-support/syncing.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { syntheticMailbox } from '../packages/test-sandbox/src/index.ts';
import { residentMemory } from './memory-of.ts';
import { type Trial, withProduct } from './product.ts';

const args = process.argv.slice(2);
const isCheck = args.includes('--check');
const RECORDS = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 200_000);
const REFERENCE = Math.min(10_000, RECORDS);
const PARTS = 10;
const EVERY_MS = 100;
/** Part of the records that were stored before the kill and may be read again after it. */
const GOALS = { memory: 1.2, rate: 0.8, readAgain: 0.01 };

/** What was seen while a part of the records was stored. */
interface Part {
  records: number;
  seconds: number;
  /** Most resident memory, MB. */
  peak: number;
}

interface Run {
  parts: Part[];
  seconds: number;
  requests: number;
  /** Most resident memory after the last part, MB. */
  peak: number;
  /** Records when the server was killed, and the first number reported after it. */
  kill?: { before: number; after: number; secondsToResume: number };
}

async function killAndRestart({ server }: Trial): Promise<void> {
  await server.end('SIGKILL');
  await server.start();
}

/** Follows a sync to its end. @param killAt records at which the server is killed once */
async function follow(trial: Trial, records: number, killAt = Number.POSITIVE_INFINITY): Promise<Run> {
  const { client, server } = trial;
  const begun = performance.now();
  const { _id } = await startSync(client, 'gmail-messages', { labelIds: 'INBOX' });
  const run: Run = { parts: [], seconds: 0, requests: 0, peak: 0 };
  let part: Part = { records: 0, seconds: 0, peak: 0 };
  let partBegun = begun;
  for (;;) {
    await sleep(EVERY_MS);
    part.peak = Math.max(part.peak, residentMemory(server.pid));
    const { status, progress, summary } = await readSync(client, _id);
    const stored = progress?.records ?? summary.entitiesSynced ?? 0;
    if (stored >= killAt && !run.kill) {
      const killed = performance.now();
      await killAndRestart(trial);
      let after = 0;
      for (; after === 0; await sleep(EVERY_MS)) after = (await readSync(client, _id)).progress?.records ?? 0;
      run.kill = { before: stored, after, secondsToResume: (performance.now() - killed) / 1000 };
      partBegun += performance.now() - killed;
    }
    const isEnd = status !== 'started';
    if (stored >= ((run.parts.length + 1) * records) / PARTS) {
      const now = performance.now();
      run.parts.push({ ...part, records: stored, seconds: (now - partBegun) / 1000 });
      part = { records: stored, seconds: 0, peak: 0 };
      partBegun = now;
    }
    if (!isEnd) continue;
    if (status !== 'finished') throw new Error(JSON.stringify(summary));
    return {
      ...run,
      peak: part.peak,
      seconds: (performance.now() - begun) / 1000,
      requests: summary.requests ?? 0,
    };
  }
}

/** Compares every stored row with the mailbox. @returns how many rows are missing, doubled, unknown or changed */
async function countDifferences({ database }: Trial, records: number): Promise<number> {
  const expected = new Map(
    syntheticMailbox(records, 0).mails.map(({ id, threadId }) => [id, threadId] as const),
  );
  const sql = new pg.Client(database);
  await sql.connect();
  let different = 0;
  for (let after = ''; ; ) {
    const { rows } = await sql.query<{ id: string; thread: string; subject: string }>(
      'select id, thread, subject from gmail_messages where id > $1 order by id limit 10000',
      [after],
    );
    for (const { id, thread, subject } of rows) {
      // The sandbox ends each subject with the number of the thread's first message.
      const first = Number(/\((\d+)\)$/.exec(subject)?.[1] ?? -1);
      const isSame = expected.get(id) === thread && parseInt(thread.slice(-8), 16) === first;
      if (!isSame || !expected.delete(id)) different++;
    }
    after = rows.at(-1)?.id ?? '';
    if (rows.length === 0) break;
  }
  await sql.end();
  return different + expected.size;
}

/** A run, the run after it that finds no change, and the rows that differ from the mailbox. */
interface Measured extends Run {
  again: Run;
  different: number;
}

async function measure(records: number, killAt?: number): Promise<Measured> {
  const folder = makeTemporaryFolder('datadeck-limits-');
  const limits = join(folder, 'limits.json');
  writeFileSync(limits, JSON.stringify({ pro: { 'gmail-messages': { cap: null, monthlyRuns: null } } }));
  const options = { sandbox: ['--messages', String(records)], settings: { PLAN_LIMITS: limits } };
  try {
    return await withProduct(options, async (trial) => {
      await trial.client.connect('google', `bench-${records}@sandbox.example`);
      const run = await follow(trial, records, killAt);
      const again = await follow(trial, records);
      return { ...run, again, different: await countDifferences(trial, records) };
    });
  } finally {
    removeDataFolder(folder);
  }
}

/** Most resident memory of a whole run, MB. */
function peakOfRun({ parts, peak }: Run): number {
  return Math.max(peak, ...parts.map((part) => part.peak));
}

function print(cells: (string | number)[]): void {
  console.log(cells.map((cell) => String(cell).padStart(9)).join(''));
}

const reference = await measure(REFERENCE);
console.log(
  `Reference: ${REFERENCE} messages in ${reference.seconds.toFixed(1)} s, peak ${peakOfRun(reference).toFixed(0)} MB, ${reference.different} rows different`,
);
const large = await measure(RECORDS, RECORDS * 0.55);
print(['records', 'seconds', 'a second', 'peak MB']);
let previous = 0;
const rates: number[] = [];
for (const { records, seconds, peak } of large.parts) {
  rates.push((records - previous) / seconds);
  previous = records;
  print([records, seconds.toFixed(1), (rates.at(-1) ?? 0).toFixed(0), peak.toFixed(0)]);
}
const { before = 0, after = 0, secondsToResume = 0 } = large.kill ?? {};
console.log(
  `Killed with -9 at ${before}; running again at ${after} after ${secondsToResume.toFixed(1)} s; ${large.seconds.toFixed(1)} s and ${large.requests} requests in all; ${large.different} rows different`,
);
const { again } = large;
console.log(
  `Again without a change: ${again.seconds.toFixed(1)} s, ${again.requests} requests, peak ${peakOfRun(again).toFixed(0)} MB`,
);
const half = PARTS / 2;
const peakOf = (parts: Part[]) => Math.max(...parts.map(({ peak }) => peak));
const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const figures = [
  {
    what: 'memory, second half to first half',
    value: peakOf(large.parts.slice(half)) / peakOf(large.parts.slice(0, half)),
    goal: GOALS.memory,
    isAtMost: true,
  },
  {
    what: 'memory of the sync without a change to the first half',
    value: peakOfRun(again) / peakOf(large.parts.slice(0, half)),
    goal: GOALS.memory,
    isAtMost: true,
  },
  {
    what: 'rate, last three parts to first three',
    value: meanOf(rates.slice(-3)) / meanOf(rates.slice(0, 3)),
    goal: GOALS.rate,
    isAtMost: false,
  },
  {
    what: 'records lost to the kill, share',
    value: Math.max(0, before - after) / RECORDS,
    goal: GOALS.readAgain,
    isAtMost: true,
  },
  {
    what: 'rows different from the mailbox',
    value: large.different + reference.different,
    goal: 0,
    isAtMost: true,
  },
];
for (const { what, value, goal, isAtMost } of figures) {
  const isMet = isAtMost ? value <= goal : value >= goal;
  console.log(
    `${what}: ${value.toFixed(3)} (goal ${isAtMost ? 'at most' : 'at least'} ${goal})${isMet ? '' : ' MISSED'}`,
  );
  if (isCheck && !isMet) process.exitCode = 1;
}
