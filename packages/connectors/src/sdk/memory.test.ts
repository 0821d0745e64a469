import { expect, test } from 'vitest';
import { giveBack } from './memory.ts';

test('the memory of large bytes is given back, that of small ones belongs to others too', () => {
  const large = Buffer.from('x'.repeat(100_000));
  const part = large.subarray(10, 20);
  const small = Buffer.from('kept');
  const neighbour = Buffer.from('kept too');
  for (const bytes of [large, small]) giveBack(bytes);
  expect([large.length, part.length]).toEqual([0, 0]);
  expect([small.toString(), neighbour.toString()]).toEqual(['kept', 'kept too']);
});
