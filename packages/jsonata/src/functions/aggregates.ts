import { SLOW } from '../runtime/fields.ts';
import { type Builtin, unlessMissing } from './builtin.ts';

function largest(numbers: readonly number[]): number | undefined {
  if (numbers.length === 0) return undefined;
  let best = numbers[0] as number;
  for (let i = 1; i < numbers.length; i++) best = Math.max(best, numbers[i] as number);
  return best;
}

function smallest(numbers: readonly number[]): number | undefined {
  if (numbers.length === 0) return undefined;
  let best = numbers[0] as number;
  for (let i = 1; i < numbers.length; i++) best = Math.min(best, numbers[i] as number);
  return best;
}

function total(numbers: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += numbers[i] as number;
  return sum;
}

export const aggregates: readonly Builtin[] = [
  {
    name: 'sum',
    signature: '<a<n>:n>',
    summary: 'Returns the sum of the numbers of an array.',
    arity: 1,
    body: unlessMissing<number[]>(total),
  },
  {
    name: 'count',
    signature: '<a:n>',
    summary: 'Returns the number of items of an array; a missing value counts as 0.',
    arity: 1,
    body: ([items]) => (Array.isArray(items) ? items.length : 0),
    quick: { arity: 1, call: (items) => (Array.isArray(items) ? items.length : SLOW) },
  },
  {
    name: 'max',
    signature: '<a<n>:n>',
    summary: 'Returns the largest number of an array.',
    arity: 1,
    body: unlessMissing<number[]>(largest),
  },
  {
    name: 'min',
    signature: '<a<n>:n>',
    summary: 'Returns the smallest number of an array.',
    arity: 1,
    body: unlessMissing<number[]>(smallest),
  },
  {
    name: 'average',
    signature: '<a<n>:n>',
    summary: 'Returns the mean of the numbers of an array.',
    arity: 1,
    body: unlessMissing<number[]>((numbers) =>
      numbers.length === 0 ? undefined : total(numbers) / numbers.length,
    ),
  },
];
