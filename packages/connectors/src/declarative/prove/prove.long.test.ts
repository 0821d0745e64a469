import { expect, it } from 'vitest';
import { failuresOf, proveGenerated } from '../../../test-support/declarative/proofs.ts';
import { generateShapes } from '../../../test-support/declarative/shapes.ts';

it.each(generateShapes().map((_, index) => index))('proves the generated document %i', async (index) => {
  const proof = await proveGenerated(index);
  expect(failuresOf(proof)).toEqual([]);
  expect(proof.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(10);
});
