import { expect, it } from 'vitest';
import { failuresOf, proveGenerated } from '../../../test-support/declarative/proofs.ts';
import { generateShapes } from '../../../test-support/declarative/shapes.ts';

/** Each fifth document; all 40 with PROVED=all, which takes nine minutes. */
const STEP = process.env.PROVED === 'all' ? 1 : 5;
const indexes = generateShapes().flatMap((_, index) => (index % STEP === 0 ? [index] : []));

it.each(indexes)('proves the generated document %i', async (index) => {
  const proof = await proveGenerated(index);
  expect(failuresOf(proof)).toEqual([]);
  expect(proof.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(10);
});
