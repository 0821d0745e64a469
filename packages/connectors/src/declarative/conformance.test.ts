import { expect, it } from 'vitest';
import { describeConnector } from '../../test-support/conformance/index.ts';
import { AXES } from '../../test-support/declarative/shape.ts';
import { fewShapes, generateShapes, pairsOf } from '../../test-support/declarative/shapes.ts';
import { fewDocumentSubjects } from '../../test-support/declarative/subjects.ts';

it('has documents for each pair of choices, and in this file for each choice', () => {
  const sizes = Object.values(AXES).map((choices) => choices.length);
  const pairs = sizes.flatMap((size, at) => sizes.slice(at + 1).map((other) => size * other));
  const shapes = generateShapes();
  expect(shapes).toHaveLength(40);
  expect(new Set(shapes.flatMap(pairsOf)).size).toBe(pairs.reduce((sum, count) => sum + count));
  for (const [axis, choices] of Object.entries(AXES))
    expect(new Set(fewShapes().map((shape) => shape[axis as keyof typeof AXES]))).toEqual(new Set(choices));
});

for (const subject of fewDocumentSubjects()) describeConnector(subject);
