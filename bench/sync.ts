/**
 * `node bench/sync.ts [part…]`: what syncs cost, beside what they must cost. Parts: `quota` (5,000 records under the
 * providers' real quotas, whose minutes go by six times as fast), `latency` (no quota, 50 ms a request), `bare`
 * (neither; beside `bare-loop.ts`), `memory` (5,000 and 100,000 records). All of them without a part; about six minutes.
 */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { githubConnector } from '../packages/connectors/src/github/index.ts';
import { googleConnector } from '../packages/connectors/src/google/index.ts';
import type { Connector } from '../packages/connectors/src/index.ts';
import { authorizeGithub, signInWithGoogle } from '../packages/sandbox/test-support/sign-in.ts';
import { readSync, runSync, startSync } from '../packages/server/test-support/syncing.ts';
import type { BareTask } from './bare-loop.ts';
import { residentMemory } from './memory-of.ts';
import { AS_A_PAGE, requestsAtOnce, type Trial, withProduct } from './product.ts';

const RECORDS = 5000;
const MANY = 100_000;
const TIME_SCALE = 6;
const LATENCY_MS = 50;
const GMAIL_UNITS = 6000;
const GITHUB_POINTS = 900;

interface Kind {
  kind: BareTask['kind'];
  entity: string;
  unitsPerMinute: number;
  quota: Connector['quota'];
  settings(records: number): Record<string, string>;
  connect(trial: Trial, records: number): Promise<unknown>;
}

const PULLS: Kind = {
  kind: 'pulls',
  entity: 'gh-pulls',
  unitsPerMinute: GITHUB_POINTS,
  quota: githubConnector({ ...noWhere(), githubUrl: 'http://x' }).quota,
  settings: (records) => ({ owner: 'bench', repo: `pulls-${records}` }),
  connect: ({ client }) => client.connect('github', 'ada-nowak'),
};
const MESSAGES: Kind = {
  kind: 'messages',
  entity: 'gmail-messages',
  unitsPerMinute: GMAIL_UNITS,
  quota: googleConnector({ ...noWhere(), issuer: 'http://x' }).quota,
  settings: () => ({ labelIds: 'INBOX' }),
  connect: ({ client }, records) => client.connect('google', mailbox(records)),
};

function noWhere() {
  return { apiUrl: 'http://x', client: { id: 'x', secret: 'x' }, unitsPerMinute: 1 };
}

function mailbox(records: number): string {
  return `bench-${records}@sandbox.example`;
}

function print(cells: (string | number)[]): void {
  const widths = [9, 9, 9, 8, 8, 8, 6, 8];
  console.log(cells.map((cell, index) => String(cell).padStart(widths[index] ?? 10)).join('  '));
}

/** One sync to its end. */
async function sync(
  { entity, settings }: Kind,
  { client }: Trial,
): Promise<{ records: number; requests: number; units: number; seconds: number }> {
  const { summary, status } = await runSync(client, entity, settings(RECORDS), {
    timeoutMs: 900_000,
    ...AS_A_PAGE,
  });
  if (status !== 'finished') throw new Error(JSON.stringify(summary));
  const { entitiesSynced = 0, requests = 0, units = 0, timeElapsed = 0 } = summary;
  return { records: entitiesSynced, requests, units, seconds: timeElapsed };
}

async function underQuota(): Promise<void> {
  const minute = 60 / TIME_SCALE;
  console.log(
    `\nUnder the real quotas, a minute in ${minute} s; ideal: each minute's units at its beginning`,
  );
  print(['what', 'records', 'units', 'seconds', 'ideal s', 'ratio', 'goal']);
  for (const kind of [MESSAGES, PULLS]) {
    const quota = ['--quota-scale', '1', '--quota-time', String(TIME_SCALE)];
    const settings = {
      QUOTA_TIME_SCALE: String(TIME_SCALE),
      GMAIL_UNITS_PER_MINUTE: String(GMAIL_UNITS),
      GITHUB_POINTS_PER_MINUTE: String(GITHUB_POINTS),
    };
    await withProduct({ sandbox: [`--${kind.kind}`, String(RECORDS), ...quota], settings }, async (trial) => {
      await kind.connect(trial, RECORDS);
      const { records, units, seconds } = await sync(kind, trial);
      const ideal = Math.floor((units - 1) / kind.unitsPerMinute) * minute;
      const ratio = ideal === 0 ? '(free)' : (seconds / ideal).toFixed(3);
      print([kind.kind, records, units, seconds.toFixed(2), ideal.toFixed(2), ratio, 1.05]);
    });
  }
}

async function underLatency(): Promise<void> {
  console.log(
    `\nNo quota, ${LATENCY_MS} ms a request; ideal: requests x latency / requests at once; bare: seconds of the bare loop`,
  );
  print(['what', 'records', 'requests', 'seconds', 'ideal s', 'ratio', 'goal', 'bare s']);
  for (const kind of [MESSAGES, PULLS]) {
    const sandbox = [`--${kind.kind}`, String(RECORDS), '--latency', String(LATENCY_MS)];
    await withProduct({ sandbox }, async (trial) => {
      await kind.connect(trial, RECORDS);
      const { records, requests, seconds } = await sync(kind, trial);
      const ideal = (requests * LATENCY_MS) / 1000 / requestsAtOnce(kind.quota, LATENCY_MS);
      const bare = await bareLoop(kind, trial);
      const ratio = (seconds / ideal).toFixed(2);
      print([
        kind.kind,
        records,
        requests,
        seconds.toFixed(2),
        ideal.toFixed(2),
        ratio,
        1.2,
        bare.seconds.toFixed(2),
      ]);
    });
  }
}

/** The token with which the bare loop asks the sandbox. */
async function tokenFor({ kind }: Kind, { providers }: Trial): Promise<{ apiUrl: string; token: string }> {
  const sandbox = {
    urls: () => ({
      googleIssuer: providers.GOOGLE_ISSUER ?? '',
      gmailApiUrl: providers.GMAIL_API_URL ?? '',
      microsoftUrl: providers.MICROSOFT_URL ?? '',
      githubUrl: providers.GITHUB_URL ?? '',
      githubApiUrl: providers.GITHUB_API_URL ?? '',
    }),
    clients: {
      google: { id: providers.GOOGLE_CLIENT_ID ?? '', secret: providers.GOOGLE_CLIENT_SECRET ?? '' },
      microsoft: {
        id: providers.MICROSOFT_CLIENT_ID ?? '',
        secret: providers.MICROSOFT_CLIENT_SECRET ?? '',
      },
      github: { id: providers.GITHUB_CLIENT_ID ?? '', secret: providers.GITHUB_CLIENT_SECRET ?? '' },
    },
  };
  if (kind === 'pulls') {
    const { access_token: token = '' } = await authorizeGithub(sandbox);
    return { apiUrl: sandbox.urls().githubApiUrl, token };
  }
  const { tokens } = await signInWithGoogle(sandbox, { account: mailbox(RECORDS) });
  return { apiUrl: sandbox.urls().gmailApiUrl, token: tokens.access_token };
}

async function bareLoop(
  kind: Kind,
  trial: Trial,
): Promise<{ seconds: number; processor: number; database: number }> {
  const sql = new pg.Client(trial.database);
  await sql.connect();
  await sql.query('drop table if exists bare; create table bare (id text primary key, data json not null)');
  const task: BareTask = {
    kind: kind.kind,
    ...(await tokenFor(kind, trial)),
    repository: `bench/pulls-${RECORDS}`,
    records: RECORDS,
    requestsAtOnce: requestsAtOnce(kind.quota, 0),
    database: trial.database,
  };
  const before = trial.processorTimes();
  const script = fileURLToPath(new URL('./bare-loop.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(task)]);
  const outcome = JSON.parse(stdout) as { stored: number; seconds: number; processorSeconds: number };
  const database = trial.processorTimes().database - before.database;
  await sql.query('drop table bare');
  await sql.end();
  if (outcome.stored !== RECORDS) throw new Error(`the bare loop stored ${outcome.stored}`);
  return { seconds: outcome.seconds, processor: outcome.processorSeconds, database };
}

async function besideBareLoop(): Promise<void> {
  console.log(
    '\nNo quota, no latency; processor time of Node and of the database, beside the bare loop (goal: 1.5)',
  );
  const runs = 3;
  console.log('  what      run  records/s  of bare   Node s  of bare  database s  of bare  both, ratio');
  for (const kind of [MESSAGES, PULLS]) {
    await withProduct({ sandbox: [`--${kind.kind}`, String(RECORDS)] }, async (trial) => {
      await kind.connect(trial, RECORDS);
      for (let run = 1; run <= runs; run++) {
        const before = trial.processorTimes();
        const { summary } = await runSync(trial.client, kind.entity, kind.settings(RECORDS), {
          timeoutMs: 300_000,
          ...AS_A_PAGE,
        });
        const after = trial.processorTimes();
        const bare = await bareLoop(kind, trial);
        const [node, database] = [after.product - before.product, after.database - before.database];
        const cells = [
          kind.kind.padEnd(8),
          run,
          (RECORDS / (summary.timeElapsed ?? 1)).toFixed(0),
          (RECORDS / bare.seconds).toFixed(0),
          node.toFixed(2),
          bare.processor.toFixed(2),
          database.toFixed(2),
          bare.database.toFixed(2),
          ((node + database) / (bare.processor + bare.database)).toFixed(2),
        ];
        console.log(
          cells
            .map((cell, index) => String(cell).padStart([10, 3, 9, 7, 7, 7, 10, 7, 12][index] ?? 7))
            .join('  '),
        );
        const provider = kind.kind === 'pulls' ? 'github' : 'google';
        await trial.client.post(`/api/integrations/entities/delete-all-data?provider=${provider}`);
      }
    });
  }
}

/** The most memory that the server's process holds during a sync of so many records, MB. */
async function peakMemory(
  kind: Kind,
  records: number,
): Promise<{ before: number; peak: number; seconds: number }> {
  return withProduct({ sandbox: [`--${kind.kind}`, String(records)] }, async (trial) => {
    await kind.connect(trial, records);
    await liftCap(trial, records);
    const before = residentMemory(trial.server.pid);
    let peak = before;
    const { _id } = await startSync(trial.client, kind.entity, kind.settings(records));
    for (;;) {
      peak = Math.max(peak, residentMemory(trial.server.pid));
      await sleep(100);
      const { status, summary } = await readSync(trial.client, _id);
      if (status === 'started') continue;
      if (summary.entitiesSynced !== records) throw new Error(JSON.stringify(summary));
      return { before, peak, seconds: summary.timeElapsed ?? 0 };
    }
  });
}

/** No plan keeps so many records: the bench's own database does. */
async function liftCap({ database }: Trial, cap: number): Promise<void> {
  const sql = new pg.Client(database);
  await sql.connect();
  await sql.query(`
    create function lift_cap() returns trigger language plpgsql as 'begin new.cap = ${cap}; return new; end';
    create trigger lift_cap before insert on syncs for each row execute function lift_cap()`);
  await sql.end();
}

async function flatMemory(): Promise<void> {
  console.log(
    `\nMemory of the server's process, MB (goal: the peak of ${MANY} within 1.2 of that of ${RECORDS})`,
  );
  console.log('  what       records  before    peak  seconds  ratio');
  for (const kind of [MESSAGES, PULLS]) {
    let first = 0;
    for (const records of [RECORDS, MANY]) {
      const { before, peak, seconds } = await peakMemory(kind, records);
      first ||= peak;
      const cells = [
        kind.kind.padEnd(8),
        records,
        before.toFixed(0),
        peak.toFixed(0),
        seconds.toFixed(1),
        (peak / first).toFixed(2),
      ];
      console.log(
        cells.map((cell, index) => String(cell).padStart([10, 7, 6, 6, 7, 5][index] ?? 7)).join('  '),
      );
    }
  }
}

const PARTS: Record<string, () => Promise<void>> = {
  quota: underQuota,
  latency: underLatency,
  bare: besideBareLoop,
  memory: flatMemory,
};
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS);
for (const part of wanted) {
  const run = PARTS[part];
  if (!run) throw new Error(`no part '${part}': ${Object.keys(PARTS).join(', ')}`);
  await run();
}
