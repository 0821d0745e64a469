import { describe, expect, it } from 'vitest';
import { RowBatch } from '../../../test-support/row-batch.ts';
import { RowParser } from './row-parser.ts';

describe('RowParser', () => {
  it('finds rows across chunk boundaries', () => {
    const values = [{ a: 'é😀\n' }, [1, 2], 'x', null, 5];
    const batch = new RowBatch();
    for (const value of values) batch.add(JSON.stringify(value, null, 1));
    const piece = batch.take();
    for (const size of [1, 2, 7, piece.length]) {
      const rows: unknown[] = [];
      const parser = new RowParser((some) => void rows.push(...some));
      for (let at = 0; at < piece.length; at += size) parser.add(piece.subarray(at, at + size));
      expect(rows).toEqual(values);
    }
  });

  it('parses large chunks in parts', () => {
    const batch = new RowBatch();
    for (let n = 0; n < 3000; n++) batch.add(JSON.stringify({ n, text: 'x'.repeat(n % 100) }));
    const sizes: number[] = [];
    new RowParser((some) => void sizes.push(some.length)).add(batch.take());
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.reduce((total, size) => total + size)).toBe(3000);
  });
});
