import { createHash } from 'node:crypto';
import { compile, type Expression, JsonataError, parse } from '@datadeck/jsonata';
import { ProviderError } from '../sdk/index.ts';

/** Limits of one evaluation: a page has at most some megabytes. */
const LIMITS = { timeMs: 5000, steps: 50_000_000, sequenceLength: 200_000, resultSize: 2_000_000 };

/** The fields of the input of an expression. */
export type Input = Readonly<Record<string, unknown>>;

const HASHES: readonly unknown[] = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];

/** The functions of documents in addition to those of JSONata. */
const FUNCTIONS = {
  /** Returns the hash of a text as lower-case hexadecimal digits. @throws JsonataError for another value or algorithm */
  hash(text: unknown, algorithm: unknown): string | undefined {
    if (text === undefined) return undefined;
    if (typeof text !== 'string') throw new JsonataError('T0410', { index: 1, token: 'hash' });
    if (!HASHES.includes(algorithm)) throw new JsonataError('T0410', { index: 2, token: 'hash' });
    return createHash(algorithm as string)
      .update(text)
      .digest('hex');
  },
};

/** Compiles an expression of a document with limits of time, steps and size. @throws JsonataError if it is not well formed */
export function compileBounded(expression: string): Expression {
  const { ast, evaluate: run } = compile(expression, LIMITS);
  return { ast, evaluate: (input, bindings) => run(input, { ...FUNCTIONS, ...bindings }) };
}

/**
 * Returns the source of a JSONata object with one expression for each field.
 * @throws JsonataError for an expression that is not well formed by itself, so that none can reach into the next one
 */
export function objectSource(fields: Readonly<Record<string, string>>): string {
  const entries = Object.entries(fields).map(([name, expression]) => {
    parse(expression);
    return `${JSON.stringify(name)}: (${expression}\n)`;
  });
  return `{${entries.join(', ')}}`;
}

/** Texts of `$error` by which an expression of a document says that a successful answer is a failure, and whether it may pass. */
export const FAILED_ANSWER = {
  permanent: 'The answer is a failure.',
  temporary: 'The answer is a failure for now.',
};

/**
 * Returns the error for a failed expression: `unavailable` for an answer that is a failure for now. Its message has the code of the
 * error, but no value of the input.
 */
export function expressionError(label: string, { code, message: text }: JsonataError): ProviderError {
  const answered = `The provider answered with a failure in place of ${label}.`;
  if (text === FAILED_ANSWER.temporary)
    return new ProviderError('unavailable', `${answered} Try again later.`);
  if (text === FAILED_ANSWER.permanent) return new ProviderError('malformed', answered);
  const message = `The expression of ${label} fails (${code}). Its connector must be corrected.`;
  return new ProviderError('malformed', message);
}

/**
 * Evaluates an expression of a document.
 * @param label what messages call it: `the request of GitLab’s issues`
 * @throws ProviderError `malformed`; `unavailable`: see `expressionError`
 */
export function evaluate(label: string, expression: Expression, input: Input): unknown {
  try {
    return expression.evaluate(input);
  } catch (error) {
    if (!(error instanceof JsonataError)) throw error;
    throw expressionError(label, error);
  }
}
