/**
 * `node bench/imap.ts [rounds] [--mails FOLDER] [--check]`: a mailbox of 5,000 real mails (26 MB) in Dovecot, pulled by the
 * whole product with its embedded database, and by `mbsync` (Debian: isync) into a Maildir that `notmuch new` then indexes,
 * in turns. Cold: the whole mailbox; incremental: 100 new mails and 50 changed flags. Prints seconds, processor seconds and
 * the delay of the main thread's event loop. FOLDER holds spamassassin-1000.tar.xz. `--check` fails when the medians miss a goal.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DOVECOT_MISSING, Dovecot } from '../packages/connectors/test-support/imap/index.ts';
import type { Sync } from '../packages/contract/src/index.ts';
import { SYNCS } from '../packages/server/test-support/syncing.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { boxOf, deliver, readSamples } from './mailboxes.ts';
import { percentile } from './percentile.ts';
import { AS_A_PAGE, type Trial, withProduct } from './product.ts';

const args = process.argv.slice(2);
const isCheck = args.includes('--check');
const ROUNDS = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 3);
const SAMPLES = resolve(
  args.includes('--mails') ? (args[args.indexOf('--mails') + 1] ?? '') : '../shared/data/rfc822',
);
const MAILS = 5000;
/** Of a round. */
const INCREMENTAL_RUNS = 3;
const NEW_MAILS = 100;
const CHANGED_FLAGS = 50;
const PASSWORD = 'open sesame';
/**
 * Goals: the product's time as a multiple of mbsync's, and of mbsync's with notmuch's, after which mails can be searched
 * as in the product; the 99th percentile of the event loop's delay, ms.
 */
const GOALS = { cold: 1.5, incremental: 1, searchable: 0.4, delayMs: 50 } as const;
interface Measured {
  seconds: number;
  processor: number;
  /** What of it the database needed. */
  database?: number;
  delayMs?: number;
}

/** Flags some mails, spread over the mailbox. */
function flagSome(dovecot: Dovecot, user: string): void {
  const folder = join(boxOf(dovecot, user), 'cur');
  const names = readdirSync(folder).filter((name) => name.endsWith(':2,'));
  for (let count = 0; count < CHANGED_FLAGS; count++) {
    const name = names[Math.floor((count * names.length) / CHANGED_FLAGS)] ?? '';
    renameSync(join(folder, name), join(folder, `${name}F`));
  }
}

/** The configurations with which mbsync pulls a user's mailbox into a Maildir, and notmuch indexes it. */
interface Configured {
  mbsync: string;
  notmuch: string;
}

/** Writes the configurations. */
function configure(dovecot: Dovecot, user: string, folder: string): Configured {
  const root = join(folder, user);
  mkdirSync(root);
  const path = join(root, 'mbsyncrc');
  const sections = [
    [
      'IMAPAccount bench',
      'Host 127.0.0.1',
      `Port ${dovecot.ports.plain}`,
      `User ${user}`,
      `Pass "${PASSWORD}"`,
    ].concat(['SSLType None', 'AuthMechs LOGIN']),
    ['IMAPStore far', 'Account bench'],
    ['MaildirStore near', `Path ${root}/`, `Inbox ${root}/inbox`],
    ['Channel inbox', 'Far :far:INBOX', 'Near :near:INBOX', 'Create Near', 'Sync Pull', 'SyncState *'],
  ];
  writeFileSync(path, sections.map((lines) => `${lines.join('\n')}\n`).join('\n'));
  const notmuch = join(root, 'notmuchrc');
  writeFileSync(notmuch, `[database]\npath=${root}\n[new]\ntags=unread;inbox\nignore=mbsyncrc;notmuchrc\n`);
  return { mbsync: path, notmuch };
}

/** Runs a command, whose processor time the shell prints. */
async function measureCommand(command: string): Promise<Measured> {
  const begun = performance.now();
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command} && times`]);
  const seconds = (performance.now() - begun) / 1000;
  const times = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  const processor = times.reduce((sum, [, minutes, rest]) => sum + 60 * Number(minutes) + Number(rest), 0);
  return { seconds, processor };
}

/** Pulls with the product: seconds from the request to the commit of the end. */
async function pullWithProduct({ client, server, processorTimes }: Trial, added: number): Promise<Measured> {
  const readMetrics = async () => (await fetch(`${server.url}/metrics`)).text();
  // Each reading begins the histogram of the delay again.
  await readMetrics();
  const before = processorTimes();
  const request = { providerId: 'imap', entityLabel: 'imap-messages', entitySettings: { mailbox: 'INBOX' } };
  const { _id } = await client.post<Sync>(SYNCS, request);
  let sync: Sync | undefined;
  do {
    await sleep(AS_A_PAGE.everyMs);
    sync = (await client.get<Sync[]>(`${SYNCS}?providers=imap`)).find((one) => one._id === _id);
  } while (sync?.status === 'started');
  if (sync?.summary.added !== added) throw new Error(`not ${added} records: ${JSON.stringify(sync)}`);
  const seconds = (Date.parse(sync.updated_at) - Date.parse(sync.created_at)) / 1000;
  const after = processorTimes();
  const delay = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await readMetrics())?.[1];
  const database = after.database - before.database;
  const processor = after.product - before.product + database;
  return { seconds, processor, database, delayMs: 1000 * Number(delay) };
}

type Kind = 'cold' | 'incremental';
const measured: { kind: Kind; product: Measured; mbsync: Measured; notmuch: Measured }[] = [];

/** One round: new mailboxes, a new product and a new Maildir. */
async function round(number: number, samples: readonly Buffer[], folder: string): Promise<void> {
  const [ada, bo] = [`ada${number}`, `bo${number}`];
  const mails = Array.from({ length: MAILS }, (_, place) => samples[place % samples.length] as Buffer);
  for (const user of [ada, bo]) deliver(dovecot, user, mails);
  const config = configure(dovecot, bo, folder);
  await withProduct(
    {
      sandbox: [],
      settings: {
        CONNECT_HOSTS: '127.0.0.1',
      },
    },
    async (trial) => {
      const port = String(dovecot.ports.plain);
      const values = { host: '127.0.0.1', port, security: 'none', user: ada, password: PASSWORD };
      await trial.client.post('/api/integrations/connections/imap', { values });
      const both = async (kind: Kind, added: number) => {
        const product = await pullWithProduct(trial, added);
        const mbsync = await measureCommand(`mbsync -c '${config.mbsync}' inbox`);
        const notmuch = await measureCommand(`notmuch --config='${config.notmuch}' new --quiet`);
        const line = { kind, product, mbsync, notmuch };
        measured.push(line);
        print(line);
      };
      await both('cold', MAILS);
      for (let count = 0; count < INCREMENTAL_RUNS; count++) {
        for (const user of [ada, bo]) {
          deliver(dovecot, user, mails.slice(0, NEW_MAILS));
          flagSome(dovecot, user);
        }
        await both('incremental', NEW_MAILS);
      }
    },
  );
}

function print({ kind, product, mbsync, notmuch }: (typeof measured)[number]): void {
  const numbers = [
    product.seconds,
    mbsync.seconds,
    notmuch.seconds,
    product.seconds / mbsync.seconds,
    product.seconds / (mbsync.seconds + notmuch.seconds),
    product.processor,
    product.database ?? 0,
    mbsync.processor + notmuch.processor,
  ];
  const cells = numbers.map((value) => value.toFixed(2).padStart(9));
  console.log(`${kind.padEnd(11)} ${cells.join(' ')} ${(product.delayMs ?? 0).toFixed(0).padStart(9)}`);
}

if (DOVECOT_MISSING) throw new Error(DOVECOT_MISSING);
const folder = makeTemporaryFolder('datadeck-imap-');
const users = Array.from({ length: 2 * ROUNDS }, (_, place) => [`ada${place}`, `bo${place}`]).flat();
const dovecot = await Dovecot.start(Object.fromEntries(users.map((user) => [user, PASSWORD])));
try {
  const samples = readSamples(SAMPLES, folder);
  console.log(
    'seconds, and the product as a multiple of mbsync and of both; processor seconds of the product, its database in it, and both; p99 delay of the event loop, ms',
  );
  console.log(
    '              product    mbsync   notmuch    mbsync      both   product  database      both     delay',
  );
  for (let count = 0; count < ROUNDS; count++) await round(count, samples, folder);
} finally {
  await dovecot.stop();
  removeDataFolder(folder);
}
const missed = (['cold', 'incremental'] as const).flatMap((kind) => {
  const lines = measured.filter((line) => line.kind === kind);
  const median = (read: (line: (typeof measured)[number]) => number) => percentile(lines.map(read), 0.5);
  const ratio = median(({ product, mbsync }) => product.seconds / mbsync.seconds);
  const both = median(({ product, mbsync, notmuch }) => product.seconds / (mbsync.seconds + notmuch.seconds));
  const delay = median(({ product }) => product.delayMs ?? 0);
  console.log(
    `${kind}: median ratio ${ratio.toFixed(2)} of mbsync (goal ${GOALS[kind]}), ${both.toFixed(2)} of both (goal ${GOALS.searchable}), delay ${delay.toFixed(0)} ms (goal ${GOALS.delayMs})`,
  );
  return ratio > GOALS[kind] || both > GOALS.searchable || delay > GOALS.delayMs ? [kind] : [];
});
if (isCheck && missed.length > 0) process.exitCode = 1;
