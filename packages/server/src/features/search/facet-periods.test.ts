import { describe, expect, it } from 'vitest';
import { countsOfPeriods, facetPeriods } from './facet-periods.ts';

const NOW = Date.parse('2026-11-30T23:30:00Z');

describe('facetPeriods', () => {
  it('are in the order of time, by month up to the current month of the time zone', () => {
    const periods = facetPeriods(NOW, 'Europe/Berlin');
    const starts = periods.map(({ start }) => start.getTime());
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(periods.at(-2)).toEqual({ name: '2026-12', start: new Date('2026-11-30T23:00:00Z') });
    expect(facetPeriods(NOW, 'UTC').at(-2)?.name).toBe('2026-11');
    expect(periods[0]?.name).toBe('1967');
    expect(periods.find(({ name }) => name.length === 7)?.name).toBe('2022-01');
  });
});

describe('countsOfPeriods', () => {
  const periods = facetPeriods(NOW, 'UTC');
  const counted = (counts: Record<string, number>) =>
    new Map(
      Object.entries(counts).map(([wanted, count]) => [
        periods.findIndex(({ name }) => name === wanted) + 1,
        count,
      ]),
    );

  it('are by month while all records are of the last five years', () => {
    expect(countsOfPeriods(periods, counted({ '2022-01': 3, '2026-11': 2 }))).toEqual([
      { name: '2026-11', count: 2 },
      { name: '2022-01', count: 3 },
    ]);
  });

  it('are by year when some are older', () => {
    expect(countsOfPeriods(periods, counted({ 2021: 3, '2022-01': 1, '2022-12': 1, '2026-11': 2 }))).toEqual([
      { name: '2026', count: 2 },
      { name: '2022', count: 2 },
      { name: '2021', count: 3 },
    ]);
  });

  it('have a chosen year among months, and a chosen month among years', () => {
    const recent = counted({ '2025-12': 4, '2026-01': 3, '2026-11': 2 });
    expect(countsOfPeriods(periods, recent, ['2026'])).toEqual([
      { name: '2026', count: 5 },
      { name: '2026-11', count: 2 },
      { name: '2026-01', count: 3 },
      { name: '2025-12', count: 4 },
    ]);
    const old = counted({ 2021: 3, '2026-01': 3, '2026-11': 2 });
    expect(countsOfPeriods(periods, old, ['2026-01', '2021'])).toEqual([
      { name: '2026', count: 5 },
      { name: '2026-01', count: 3 },
      { name: '2021', count: 3 },
    ]);
  });

  it('leave out records of the future and of times before the first year', () => {
    expect(
      countsOfPeriods(
        periods,
        new Map([
          [0, 5],
          [periods.length, 7],
        ]),
      ),
    ).toEqual([]);
  });
});
