import { describe, expect, it } from 'vitest';
import { filledPeriods, nextPeriod, periodBetween, periodsWithin, writePeriod } from './periods.ts';

const value = (name: string, count = 1) => ({ value: name, title: name, count });

describe('periods of a histogram', () => {
  it('are in the order of time, with those without records', () => {
    const filled = filledPeriods([value('2026-02', 3), value('2025-11', 2)]);
    expect(filled.map((one) => [one.value, one.count])).toEqual([
      ['2025-11', 2],
      ['2025-12', 0],
      ['2026-01', 0],
      ['2026-02', 3],
    ]);
    expect(filledPeriods([value('2026'), value('1967')])).toHaveLength(60);
    expect(filledPeriods([])).toEqual([]);
  });

  it('include a period of the search that overlaps them', () => {
    const months = filledPeriods([value('2026-03'), value('2025-12')]);
    const within = (after?: string, before?: string) =>
      periodsWithin(months, { after, before }).map(Number).join('');
    expect(within('2026-01', '2026-03')).toBe('0110');
    expect(within('2026-01-31', '2026-02-01')).toBe('0100');
    expect(within('2026-02')).toBe('0011');
    expect(within(undefined, '2026')).toBe('1000');
    expect(periodsWithin(months, undefined)).toEqual([false, false, false, false]);
  });

  it('become a period of the search in either direction', () => {
    const months = filledPeriods([value('2026-01'), value('2025-10')]);
    for (const [one, other] of [
      [1, 3],
      [3, 1],
    ] as const)
      expect(periodBetween(months, one, other)).toEqual({ after: '2025-11', before: '2026-02' });
    expect(nextPeriod('2026')).toBe('2027');
  });

  it.each([
    [{ after: '2026-11', before: '2026-12' }, 'November 2026'],
    [{ after: '2026-03', before: '2026-06' }, 'March 2026 to May 2026'],
    [{ after: '2020', before: '2023' }, '2020 to 2022'],
    [{ after: '2026-03-05' }, 'Since 2026-03-05'],
    [{ before: '2026-03' }, 'Before March 2026'],
    [{ after: '2026-03-05', before: '2026-04' }, '2026-03-05 until before April 2026'],
  ])('are written as people read them: %o', (period, expected) => {
    expect(writePeriod(period)).toBe(expected);
  });
});
