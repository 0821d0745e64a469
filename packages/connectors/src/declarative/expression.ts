import { compile, type Expression, JsonataError } from '@datadeck/jsonata';
import { ProviderError } from '../sdk/index.ts';

/** Limits of one evaluation: a page has at most some megabytes. */
const LIMITS = { timeMs: 5000, steps: 50_000_000, sequenceLength: 200_000, resultSize: 2_000_000 };

/** The fields of the input of an expression. */
export type Input = Readonly<Record<string, unknown>>;

/** Compiles an expression of a document. @throws JsonataError if it is not well formed */
export function compileBounded(expression: string): Expression {
  return compile(expression, LIMITS);
}

/** Returns the expression of an object with an expression for each field. */
export function objectOf(fields: Readonly<Record<string, string>>): string {
  const entries = Object.entries(fields).map(
    ([name, expression]) => `${JSON.stringify(name)}: (${expression}\n)`,
  );
  return `{${entries.join(', ')}}`;
}

/** Returns the failure of an expression, with the reason, which has no value of the input. */
export function failureOf(what: string, { code }: JsonataError): ProviderError {
  const message = `The expression of ${what} fails (${code}). Its connector must be corrected.`;
  return new ProviderError('malformed', message);
}

/**
 * Evaluates an expression of a document.
 * @param what what it is for, as the message names it: `the request of GitLab’s issues`
 * @throws ProviderError `malformed` with the reason, which has no value of the input
 */
export function evaluateFor(what: string, expression: Expression, input: Input): unknown {
  try {
    return expression.evaluate(input);
  } catch (error) {
    if (!(error instanceof JsonataError)) throw error;
    throw failureOf(what, error);
  }
}
