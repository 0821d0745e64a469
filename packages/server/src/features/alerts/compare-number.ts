import type { AlertCondition, CurveKind, NumberChange } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import { readNumbers } from '../curves/index.ts';
import type { WatchedView } from '../views/index.ts';

/** Returns whether a condition is to be reported for a number and the one that it is compared with. */
export function isReached({ kind, value }: AlertCondition, before: number, now: number): boolean {
  if (kind === 'above') return before <= value && now > value;
  if (kind === 'below') return before >= value && now < value;
  return Math.abs(now - before) >= value;
}

/** What the last comparison stored. */
type LastNumber = Pick<ComparedNumber, 'rowCount' | 'number'>;

/** Returns what the view had at the last comparison; undefined if it may have been a number or one row. */
function kindOf({ group, kind }: AlertCondition, last: LastNumber | null): CurveKind | undefined {
  if (group !== '') return 'groups';
  if (last === null) return undefined;
  if (last.rowCount !== 1) return 'rows';
  return last.number === 1 || kind === 'by' ? undefined : 'number';
}

/** The number of a view, and what to report of it. */
interface ComparedNumber {
  rowCount: number;
  /** What the next number is compared with. */
  number: number;
  /** Absent if the condition was not reached, or nothing was compared. */
  change?: NumberChange;
}

/**
 * Reads the number of a view that a condition watches and compares it: with the last number, or for a change by an amount with
 * that of the last message.
 * @param last null for nothing to compare with
 * @throws AppError like the rows of the view; validation-failed if it yields no such number
 */
export async function compareNumber(
  view: WatchedView,
  condition: AlertCondition,
  last: LastNumber | null,
): Promise<ComparedNumber> {
  const before = last?.number ?? null;
  const result = await view.rows();
  try {
    const { group, kind } = condition;
    const { values = {} } = (await readNumbers(result, kindOf(condition, last))) ?? {};
    const now = Object.hasOwn(values, group) ? values[group] : undefined;
    if (now === undefined) {
      const what =
        group === '' ? 'The view yields no single number.' : `The view yields no number for "${group}".`;
      throw new AppError('validation-failed', `${what} Change its expression or the alert.`);
    }
    const rowCount = result.count;
    if (before === null) return { rowCount, number: now };
    if (!isReached(condition, before, now)) return { rowCount, number: kind === 'by' ? before : now };
    return { rowCount, number: now, change: { ...condition, before, now } };
  } finally {
    result.release();
  }
}
