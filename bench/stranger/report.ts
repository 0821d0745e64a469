import { percentile } from '../percentile.ts';
import type { Answers } from './attackers.ts';
import type { Read } from './probe.ts';

/** The longest answer of `/healthz`, p99 of the pages, ms; memory of all processes, MB, and how far it may stay above its start. */
export const GOALS = { health: 250, page: 250, memory: 1536, growth: 1.2 } as const;
const ANSWERS_SHOWN = 6;

/** Resident memory of all processes, MB. */
export interface Memory {
  server: number;
  evaluators: number;
  database: number;
  total: number;
  /** What the server says it holds after it has collected its garbage. */
  held?: string;
}

/** What was measured while attacks ran. */
export interface Figures {
  title: string;
  answers: Answers;
  health: readonly Read[];
  pages: readonly Read[];
  /** At most. */
  memory: Memory;
}

interface End {
  before: Memory;
  after: Memory;
  leftovers: readonly string[];
  errors: ReadonlyMap<string, number>;
}

const timesOf = (reads: readonly Read[]) => reads.map(([, ms]) => ms);
const most = (reads: readonly Read[]) => Math.max(0, ...timesOf(reads));
const p99 = (reads: readonly Read[]) => (reads.length === 0 ? 0 : percentile(timesOf(reads), 0.99));
const refused = (reads: readonly Read[]) => reads.filter(([, , status]) => status !== 200).length;

function shownAnswers(answers: Record<string, number>): string {
  const sorted = Object.entries(answers).sort(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, ANSWERS_SHOWN).map(([answer, count]) => `${answer} x ${count}`);
  return [...shown, ...(sorted.length > ANSWERS_SHOWN ? ['…'] : [])].join(', ') || 'no answer';
}

/** Prints the figures of one row, and the answers below it. */
export function showRow({ title, answers, health, pages, memory }: Figures): void {
  const cell = (value: number) => value.toFixed(0).padStart(6);
  const wrong = refused(health) + refused(pages);
  console.log(
    `${title.padEnd(20)} healthz most ${cell(most(health))} ms  page p99 ${cell(p99(pages))} ms  most ${cell(most(pages))} ms` +
      `  memory ${cell(memory.total)} MB (server ${cell(memory.server)}, evaluators ${cell(memory.evaluators)}, PostgreSQL ${cell(memory.database)})` +
      `${wrong === 0 ? '' : `  ${wrong} of ${health.length + pages.length} reads refused`}`,
  );
  for (const [name, of] of Object.entries(answers))
    console.log(`  ${Object.keys(answers).length > 1 ? `${name}: ` : ''}${shownAnswers(of)}`);
}

const isOwnFailure = (answer: string) => /^5\d\d internal|the attack failed/.test(answer);

/** Prints each goal and what was measured. @returns how many were missed */
export function checkGoals(rows: readonly Figures[], { before, after, leftovers, errors }: End): number {
  const health = rows.flatMap((row) => row.health);
  const pages = rows.flatMap((row) => row.pages);
  const slowest = Math.max(...rows.map((row) => p99(row.pages)));
  const memory = Math.max(...rows.map((row) => row.memory.total));
  const shown = ({ total, server, database }: Memory) =>
    `${total.toFixed(0)} MB (server ${server.toFixed(0)}, PostgreSQL ${database.toFixed(0)})`;
  const internal = rows.flatMap((row) =>
    Object.values(row.answers).flatMap((answers) => Object.keys(answers).filter(isOwnFailure)),
  );
  const goals: [name: string, isReached: boolean, figure: string][] = [
    ['/healthz within 250 ms', most(health) <= GOALS.health, `${most(health).toFixed(0)} ms at most`],
    [
      "another user's page p99 under 250 ms",
      slowest < GOALS.page,
      `${slowest.toFixed(0)} ms in the worst row`,
    ],
    [
      'no read of the victim refused',
      refused(health) + refused(pages) === 0,
      `${refused(health) + refused(pages)}`,
    ],
    ['memory under 1.5 GB', memory < GOALS.memory, `${memory.toFixed(0)} MB at most`],
    [
      'memory back within 20 %',
      after.total <= GOALS.growth * before.total,
      `${shown(before)}, then ${shown(after)}`,
    ],
    ['no temporary file left', leftovers.length === 0, leftovers.slice(0, 5).join(', ') || 'none'],
    ['no answer is an error of our own', internal.length === 0, [...new Set(internal)].join(', ') || 'none'],
  ];
  console.log();
  for (const [name, isReached, figure] of goals)
    console.log(`${isReached ? 'reached' : 'MISSED '}  ${name.padEnd(40)} ${figure}`);
  console.log(`held before: ${before.held}\nheld after:  ${after.held}`);
  for (const [line, count] of errors) console.log(`log: ${count} x ${line}`);
  return goals.filter(([, isReached]) => !isReached).length;
}
