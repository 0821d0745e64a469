import { compile, JsonataError, LIMIT_CODES } from '@datadeck/jsonata';
import type { Input } from '../expression.ts';
import { messageOfError } from './check-expressions.ts';

/** Limits of one evaluation, less than a run has: a person waits. */
const LIMITS = { timeMs: 1500, steps: 20_000_000, sequenceLength: 200_000, resultSize: 2_000_000 };
/** Time for all expressions of a page. The thread would be ended some seconds later. */
const TOTAL_MS = 6000;

const ENDLESS: readonly string[] = [LIMIT_CODES.timeMs, LIMIT_CODES.steps];

/** Evaluates the expressions of a trial one by one, so that each failure is known by its place. */
export class TrialRows {
  readonly #report: (path: string, message: string) => void;
  readonly #deadline = performance.now() + TOTAL_MS;
  #isLate = false;

  constructor(report: (path: string, message: string) => void) {
    this.#report = report;
  }

  /** Returns the value of an expression; undefined if it fails, which is reported. */
  value(path: string, expression: string, input: Input): unknown {
    return this.values(path, expression, [input], false)[0];
  }

  /** Returns the values of an expression for each row, and reports the first row for which it fails. */
  values(path: string, expression: string, rows: readonly Input[], isOfRecords = true): unknown[] {
    const found: unknown[] = Array.from({ length: rows.length });
    let hasFailed = false;
    const { evaluate } = compile(expression, LIMITS);
    for (const [index, row] of rows.entries()) {
      if (this.#mustStop(path)) break;
      try {
        found[index] = evaluate(row);
      } catch (error) {
        if (!hasFailed)
          this.#report(
            path,
            `${isOfRecords ? `It fails for record ${index + 1}` : 'It fails'}: ${messageOfError(error)}`,
          );
        hasFailed = true;
        if (error instanceof JsonataError && ENDLESS.includes(error.code)) break;
      }
    }
    return found;
  }

  #mustStop(path: string): boolean {
    if (performance.now() < this.#deadline) return false;
    if (!this.#isLate)
      this.#report(
        path,
        `It was not tried for all records: the expressions take more than ${TOTAL_MS / 1000} s.`,
      );
    this.#isLate = true;
    return true;
  }
}
