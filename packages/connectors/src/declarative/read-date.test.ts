import { afterEach, describe, expect, it } from 'vitest';
import { columnValue } from './column-value.ts';

const zone = process.env.TZ;
afterEach(() => {
  process.env.TZ = zone;
});

describe('a column of type time', () => {
  it.each([
    ['2026-03-02T09:00:00.125Z', '2026-03-02T09:00:00.125Z'],
    ['2026-03-02T09:00:00.125+0100', '2026-03-02T08:00:00.125Z'],
    ['2026-03-02T09:00+01:00', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02T09:00:00', '2026-03-02T09:00:00.000Z'],
    ['2026-03-02 09:00:00', '2026-03-02T09:00:00.000Z'],
    ['2026-03-02', '2026-03-02T00:00:00.000Z'],
    ['Mon, 02 Mar 2026 09:00:00 -0500', '2026-03-02T14:00:00.000Z'],
    ['March 2, 2026', '2026-03-02T00:00:00.000Z'],
    [1_772_442_000, '2026-03-02T09:00:00.000Z'],
    [1_772_442_000_125, '2026-03-02T09:00:00.125Z'],
    ['2026-13-02', undefined],
    ['2026-03-02T99:00:00Z', undefined],
    ['7', undefined],
    ['soon', undefined],
    ['', undefined],
    [1e300, undefined],
    [true, undefined],
    [{}, undefined],
  ])('reads %s as %s in every zone of the server', (value, expected) => {
    for (const name of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
      process.env.TZ = name;
      const read = columnValue('time', value) as Date | null;
      expect(read?.toISOString(), name).toBe(expected);
    }
  });
});
