import { describe, expect, it } from 'vitest';
import { formatDate } from './date-time.tsx';
import { formatDuration } from './duration.ts';

describe('formatDate', () => {
  // @covers 9.date-en-us
  it('shows short month, two-digit day, full year, hour and minute', () => {
    const local = new Date(2026, 10, 5, 11, 46).toISOString();
    expect(formatDate(local)).toBe('Nov 05, 2026, 11:46 AM');
  });

  it('returns an empty string for an invalid date', () => {
    expect(['', 'soon'].map(formatDate)).toEqual(['', '']);
  });
});

describe('formatDuration', () => {
  it('uses the units and the precision that suit the length', () => {
    expect([0.02, 0.42, 12.3, 185, 7800].map(formatDuration)).toEqual([
      'under 0.1 s',
      '0.4 s',
      '12 s',
      '3 min 05 s',
      '2 h 10 min',
    ]);
  });
});
