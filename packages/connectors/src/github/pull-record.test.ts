import { describe, expect, test } from 'vitest';
import { pullRecord } from './pull-record.ts';

const USUAL = '2024-01-01T00:00:00Z';

describe('instants', () => {
  test.each([
    [USUAL, USUAL],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59Z'],
    ['2024-01-01T00:00:00.120Z', '2024-01-01T00:00:00.120Z'],
    ['2024-01-01T01:00:00+02:00', '2023-12-31T23:00:00Z'],
    ['2024-01-01T24:00:00Z', '2024-01-02T00:00:00Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
    [`2024-01-01T00:00:00.${'1'.repeat(200)}Z`, '2024-01-01T00:00:00.111Z'],
  ])('%s is stored as %s', (written, stored) => {
    const { facets, occurredAt } = pullRecord({ id: 1, created_at: written, closed_at: written }, 'acme/box');
    expect([facets.created, facets.closed]).toEqual([stored, stored]);
    expect(occurredAt.getTime()).toBe(Date.parse(stored));
  });

  test.each([
    '2026-02-30T00:00:00Z',
    '2023-02-29T00:00:00+05:00',
    '2026-13-01T00:00:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-12:00',
    '0001-01-01T00:00:00+14:00',
    '+012024-01-01T00:00:00Z',
    'soon',
    '',
  ])('%s, which no database takes, is none', (written) => {
    const { facets, occurredAt } = pullRecord(
      {
        id: 1,
        created_at: written,
        updated_at: USUAL,
        closed_at: written,
        merged_at: written,
        state: 'open',
      },
      'acme/box',
    );
    expect(facets).toMatchObject({
      created: USUAL,
      updated: USUAL,
      closed: null,
      merged: null,
      state: 'open',
    });
    expect(occurredAt).toEqual(new Date(USUAL));
  });
});
