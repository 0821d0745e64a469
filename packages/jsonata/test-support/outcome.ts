import { isDeepStrictEqual } from 'node:util';
import jsonata from 'jsonata';
import { compile } from '../src/index.ts';
import { isFunction } from '../src/runtime/values.ts';

/** The value or error of an expression. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly code: string | undefined; readonly message: string };

function failed(thrown: unknown): Outcome {
  const { code, message } = thrown as { code?: string; message?: string };
  return { kind: 'error', code, message: String(message) };
}

/** Evaluates an expression by the reference implementation, for at most 300 ms. */
export async function byReference(
  expression: string,
  input: unknown,
  bindings?: Record<string, unknown>,
): Promise<Outcome> {
  try {
    const value: unknown = await jsonata(expression, { timeout: 300 }).evaluate(input, bindings);
    return { kind: 'value', value: comparable(value) };
  } catch (thrown) {
    return failed(thrown);
  }
}

/** Evaluates an expression by this engine. */
export function byEngine(expression: string, input: unknown, bindings?: Record<string, unknown>): Outcome {
  try {
    return { kind: 'value', value: comparable(compile(expression).evaluate(input, bindings)) };
  } catch (thrown) {
    return failed(thrown);
  }
}

/** Removes the reference's flags from arrays; all functions are considered equal. */
function comparable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? 'ƒ' : value;
  if (Array.isArray(value)) return Array.from(value, comparable);
  if (isFunction(value) || '_jsonata_lambda' in value || '_jsonata_function' in value) return 'ƒ';
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, comparable(each)]));
}

/** Compares two outcomes. An error without a code is a crash of the reference and is skipped; a test bounds their number. */
export function agree(expected: Outcome, actual: Outcome): boolean {
  if (expected.kind === 'error') {
    return expected.code === undefined || (actual.kind === 'error' && actual.code === expected.code);
  }
  return isDeepStrictEqual(actual, expected);
}
