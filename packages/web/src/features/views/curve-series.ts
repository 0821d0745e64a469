import type { CurvePoint } from '@datadeck/contract';

/** Most lines of a drawing; the groups with the largest last numbers. */
const MAX_LINES = 5;

/** One line of a curve. */
export interface CurveLine {
  /** Name of the group; empty for a single number. */
  name: string;
  /** Numbers by position of the point; undefined where the point has none. */
  numbers: (number | undefined)[];
}

/** Returns the lines that are drawn, largest last number first, and the number of groups that are not. */
export function linesOf(points: readonly CurvePoint[]): { lines: CurveLine[]; hidden: number } {
  const last = new Map<string, number>();
  for (const { values } of points)
    for (const [name, number] of Object.entries(values)) last.set(name, Math.abs(number));
  const names = [...last.keys()].sort((a, b) => (last.get(b) ?? 0) - (last.get(a) ?? 0));
  const lines = names.slice(0, MAX_LINES).map((name) => ({
    name,
    numbers: points.map(({ values }) => (Object.hasOwn(values, name) ? values[name] : undefined)),
  }));
  return { lines, hidden: names.length - lines.length };
}

/** Returns the least and greatest number of all lines, apart from each other. */
export function rangeOf(lines: readonly CurveLine[]): [least: number, most: number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { numbers } of lines)
    for (const number of numbers) {
      if (number === undefined) continue;
      least = Math.min(least, number);
      most = Math.max(most, number);
    }
  return least < most ? [least, most] : [least - 1, most + 1];
}

const FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const LARGE = new Intl.NumberFormat('en-US', { notation: 'scientific', maximumFractionDigits: 3 });

/** Formats a number of a curve: `1,234.5`. */
export function formatNumber(value: number): string {
  return Math.abs(value) >= 1e15 ? LARGE.format(value) : FORMAT.format(value);
}

/** Formats a difference with its sign: `+3`, `−1`, `±0`. */
export function formatChange(change: number): string {
  if (change === 0) return '±0';
  return `${change > 0 ? '+' : '−'}${formatNumber(Math.abs(change))}`;
}

/** Says what a point follows: `Run 12`, `Run 12 undone`, `Start`. */
export function causeOf({ cause, sync }: CurvePoint): string {
  if (cause === 'start') return 'Start';
  if (cause === 'accounts') return 'Other accounts';
  const run = sync ? `Run ${sync.number}` : 'Run';
  return cause === 'undo' ? `${run} undone` : run;
}

/** Says what is special about a point; undefined for others. */
export function noteOf({ isUndone, isRedefined }: CurvePoint): string | undefined {
  const notes = [
    ...(isUndone ? ['This run was undone later'] : []),
    ...(isRedefined ? ['The view or its accounts changed before this point'] : []),
  ];
  return notes.length === 0 ? undefined : notes.join(' · ');
}
