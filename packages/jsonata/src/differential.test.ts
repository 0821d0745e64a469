import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { agree, byEngine, byReference } from '../test-support/outcome.ts';
import { Random } from '../test-support/random.ts';
import { randomDocument } from '../test-support/random-document.ts';
import { ExpressionWriter } from '../test-support/random-expression.ts';

const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 20261120);
const COUNT = Number(process.env.DIFFERENTIAL_COUNT ?? 2000);

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
