import { type Expression, JsonataError, LIMIT_CODES, mentions, parse } from '@datadeck/jsonata';
import { compileBounded, expressionError, type Input, objectSource } from './expression.ts';

/** The variable `$$`: here it is the whole page, so that a record would depend on the others. */
const ROOT = '$';

/** Expressions that are evaluated for each row of a page, by name. */
export class RowExpressions {
  readonly #label: string;
  /** Yields a list with an object for each row. */
  readonly #whole: Expression;
  readonly #single: readonly (readonly [name: string, expression: Expression])[];

  /** @param label what messages call them @throws Error for an expression that is not well formed, or reads `$$` */
  constructor(label: string, expressions: Readonly<Record<string, string>>) {
    this.#label = label;
    for (const expression of Object.values(expressions))
      if (mentions(parse(expression), ROOT))
        throw new Error(`${label}: write the name of a variable instead of $$`);
    this.#single = Object.entries(expressions).map(
      ([name, expression]) => [name, compileBounded(expression)] as const,
    );
    this.#whole = compileBounded(`[rows.${objectSource(expressions)}]`);
  }

  /**
   * Returns an object with the values of each row. All rows are evaluated at once; if one fails, each value alone, and those
   * that fail are missing.
   * @throws ProviderError `malformed` for expressions that take too long
   */
  evaluate(rows: readonly Input[]): Input[] {
    try {
      return this.#whole.evaluate({ rows }) as Input[];
    } catch (error) {
      if (!(error instanceof JsonataError)) throw error;
      // One by one, such expressions would take their whole time for each row.
      if (error.code === LIMIT_CODES.timeMs || error.code === LIMIT_CODES.steps)
        throw expressionError(this.#label, error);
    }
    return rows.map((row) =>
      Object.fromEntries(this.#single.flatMap(([name, one]) => entryOf(name, one, row))),
    );
  }
}

/** Returns the value of one expression with its name; nothing if it fails. */
function entryOf(name: string, expression: Expression, row: Input): [name: string, value: unknown][] {
  try {
    return [[name, expression.evaluate(row)]];
  } catch (error) {
    if (error instanceof JsonataError) return [];
    throw error;
  }
}
