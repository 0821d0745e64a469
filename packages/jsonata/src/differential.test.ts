import { isDeepStrictEqual } from 'node:util';
import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { Random } from '../test-support/random.ts';
import { randomDocument } from '../test-support/random-document.ts';
import { ExpressionWriter } from '../test-support/random-expression.ts';
import { compile } from './index.ts';
import { isFunction } from './runtime/values.ts';

const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 20261120);
const COUNT = Number(process.env.DIFFERENTIAL_COUNT ?? 2000);

type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly code: string | undefined; readonly message: string };

function failed(thrown: unknown): Outcome {
  const { code, message } = thrown as { code?: string; message?: string };
  return { kind: 'error', code, message: String(message) };
}

async function byReference(expression: string, input: unknown): Promise<Outcome> {
  try {
    return { kind: 'value', value: comparable(await jsonata(expression, { timeout: 300 }).evaluate(input)) };
  } catch (thrown) {
    return failed(thrown);
  }
}

function byEngine(expression: string, input: unknown): Outcome {
  try {
    return { kind: 'value', value: comparable(compile(expression).evaluate(input)) };
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
function agree(expected: Outcome, actual: Outcome): boolean {
  if (expected.kind === 'error') {
    return expected.code === undefined || (actual.kind === 'error' && actual.code === expected.code);
  }
  return isDeepStrictEqual(actual, expected);
}

describe('JSONata engine', () => {
  // Property: the engine's value or error code equals the reference's, for every document and expression.
  it(`agrees with the reference on ${COUNT} random expressions, seed ${SEED}`, {
    timeout: 300_000,
  }, async () => {
    console.log(`differential seed ${SEED}, ${COUNT} expressions`);
    const random = new Random(SEED);
    const disagreements: unknown[] = [];
    const outcomes = { values: 0, nothing: 0, errors: 0, crashes: 0, timeouts: 0, spoilt: 0 };
    for (let i = 0; i < COUNT; i++) {
      const document = JSON.stringify(randomDocument(random));
      const expression = new ExpressionWriter(random).write();
      const given: unknown = JSON.parse(document);
      const expected = await byReference(expression, given);
      // The reference changes empty arrays of the input; its result is not reliable then.
      if (!isDeepStrictEqual(given, JSON.parse(document))) {
        outcomes.spoilt++;
        continue;
      }
      // A few expressions put the reference into an endless loop, so there is nothing to compare with.
      if (expected.kind === 'error' && expected.code === 'D1012') {
        outcomes.timeouts++;
        continue;
      }
      const actual = byEngine(expression, JSON.parse(document));
      if (expected.kind === 'error') outcomes[expected.code === undefined ? 'crashes' : 'errors']++;
      else outcomes[expected.value === undefined ? 'nothing' : 'values']++;
      if (!agree(expected, actual)) disagreements.push({ expression, document, expected, actual });
    }
    console.log(JSON.stringify(outcomes));
    if (disagreements.length > 0) {
      console.log(
        disagreements.length,
        disagreements
          .slice(0, 12)
          .map((each) => JSON.stringify(each))
          .join('\n'),
      );
    }

    expect(disagreements.length).toBe(0);
    expect(outcomes.values).toBeGreaterThan(COUNT / 4);
    expect(outcomes.spoilt).toBeLessThan(COUNT / 50);
    expect(outcomes.timeouts).toBeLessThan(10);
    expect(outcomes.crashes).toBeLessThan(COUNT / 50);
  });
});
