/**
 * `node bench/attack.ts [attackers] [more]`: users send hostile expressions to a real server while another reads a plain page.
 * Prints each expression that did not end within its deadline plus half a second, the page's p99 before and during the
 * attack, and the memory of the server and of its evaluating processes before, at most, at once after, and ten seconds
 * and a garbage collection later.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import { ChildServer } from '../packages/server/test-support/child-server.ts';
import { HOSTILE_EXPRESSIONS } from '../packages/server/test-support/hostile-expressions.ts';
import { MORE_HOSTILE_EXPRESSIONS } from '../packages/server/test-support/more-hostile-expressions.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { COLLECT_ON_SIGNAL, collectGarbage, evaluatorsOf, residentMemory } from './memory-of.ts';
import { percentile } from './percentile.ts';

const ATTACKERS = Number(process.argv[2] ?? 3);
const EXPRESSIONS = process.argv[3] === 'more' ? MORE_HOSTILE_EXPRESSIONS : HOSTILE_EXPRESSIONS;
/** Deadline of a live query, and what may be added to it, ms. */
const DEADLINE = 1000;
const GRACE = 500;
const QUIET_MS = 10_000;
const PAGE = '/api/integrations/entities/aggregation/gh-pulls/pulls-all?page=1';

const folder = makeTemporaryFolder('datadeck-attack-');
const server = new ChildServer({
  DATA_DIR: folder,
  PORT: String(await findFreePort('127.0.0.1')),
  SANDBOX: 'on',
  ...COLLECT_ON_SIGNAL,
});

interface Outcome {
  expression: string;
  ms: number;
  code: string;
}

async function attack(client: Client, expressions: readonly string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const expression of expressions) {
    const start = performance.now();
    const response = await client.call('POST', '/api/data/query', {
      entryCollection: 'gh-pulls',
      templateKey: 'pulls-all',
      jsonNataQuery: expression,
    });
    const text = await response.text();
    const code = /"code":"([\w-]+)"/.exec(text.slice(0, 200))?.[1] ?? `value, ${text.length} characters`;
    outcomes.push({
      expression,
      ms: performance.now() - start,
      code: response.ok ? 'value' : `${response.status} ${code}`,
    });
  }
  return outcomes;
}

/** Reads the page every 20 ms until it is stopped. @returns the duration of each reading, ms */
async function read(client: Client, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const start = performance.now();
    await client.get(PAGE);
    times.push(performance.now() - start);
    await sleep(20);
  }
  return times;
}

function show(label: string, times: readonly number[]): void {
  const [median, p99, most] = [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(1));
  console.log(
    `${label.padEnd(22)} ${times.length} pages, median ${median} ms, p99 ${p99} ms, most ${most} ms`,
  );
}

interface Memory {
  server: number;
  evaluators: number;
  processes: number;
}

function memory(): Memory {
  const evaluators = evaluatorsOf(server.pid);
  const sum = evaluators.reduce((total, pid) => total + residentMemory(pid), 0);
  return { server: residentMemory(server.pid), evaluators: sum, processes: evaluators.length };
}

function showMemory(label: string, { server: own, evaluators, processes }: Memory): void {
  console.log(
    `${label.padEnd(22)} server ${own.toFixed(0)} MB, ${processes} evaluating processes ${evaluators.toFixed(0)} MB`,
  );
}

/** The maximum of each figure until the end. */
async function watchMemory(isOver: () => boolean): Promise<Memory> {
  const most = memory();
  while (!isOver()) {
    const now = memory();
    most.server = Math.max(most.server, now.server);
    most.evaluators = Math.max(most.evaluators, now.evaluators);
    most.processes = Math.max(most.processes, now.processes);
    await sleep(200);
  }
  return most;
}

try {
  await server.start();
  const reader = await new Client(server).demo();
  const attackers = await Promise.all(Array.from({ length: ATTACKERS }, () => new Client(server).demo()));
  const quietUntil = Date.now() + QUIET_MS;
  await read(reader, () => Date.now() > quietUntil - QUIET_MS / 2);
  const before = await read(reader, () => Date.now() > quietUntil);
  const collectedBefore = await collectGarbage(server);
  await sleep(1000);
  const memoryBefore = memory();
  let isOver = false;
  const during = read(reader, () => isOver);
  const watched = watchMemory(() => isOver);
  const outcomes = (
    await Promise.all(
      attackers.map((client, index) =>
        attack(
          client,
          EXPRESSIONS.filter((_, at) => at % ATTACKERS === index),
        ),
      ),
    )
  ).flat();
  isOver = true;
  const attacked = await during;
  const most = await watched;
  const atEnd = memory();
  await sleep(10_000);
  const later = memory();
  const collected = await collectGarbage(server);
  const late = outcomes.filter(({ ms }) => ms > DEADLINE + GRACE);
  const codes = new Map<string, number>();
  for (const { code } of outcomes) codes.set(code, (codes.get(code) ?? 0) + 1);
  console.log(
    `${outcomes.length} hostile expressions by ${ATTACKERS} users: ${[...codes].map(([code, n]) => `${code} ${n}`).join(', ')}`,
  );
  console.log(
    `slowest ${Math.max(...outcomes.map(({ ms }) => ms)).toFixed(0)} ms; past ${DEADLINE + GRACE} ms: ${late.length}`,
  );
  for (const { expression, ms, code } of late)
    console.log(`  ${ms.toFixed(0)} ms  ${code}  ${expression.slice(0, 100)}`);
  show('a plain page before', before);
  show('during the attack', attacked);
  const ratio = percentile(attacked, 0.99) / percentile(before, 0.99);
  console.log(`p99 ratio ${ratio.toFixed(2)} (goal: at most 2)`);
  showMemory('memory before', memoryBefore);
  showMemory('at most', most);
  showMemory('at the end', atEnd);
  showMemory('ten seconds later', later);
  showMemory('and collected', memory());
  console.log(`held before: ${collectedBefore}`);
  console.log(`held after: ${collected}`);
} finally {
  await server.end('SIGTERM');
  removeDataFolder(folder);
}
