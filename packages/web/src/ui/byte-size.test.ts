import { expect, it } from 'vitest';
import { formatBytes } from './byte-size.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [1234, '1.2 kB'],
  [61_400_000, '61 MB'],
  [2_000_000_000, '2 GB'],
  [5e15, '5,000 TB'],
])('prints %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
