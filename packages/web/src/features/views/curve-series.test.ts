import type { CurvePoint } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { linesOf } from './curve-series.ts';

const point = (values: Record<string, number>): CurvePoint => ({
  at: '2026-11-20T10:00:00.000Z',
  cause: 'run',
  sync: null,
  isUndone: false,
  isRedefined: false,
  values,
});

describe('linesOf', () => {
  it('has no number where a point lacks a group, also one with the name of what objects inherit', () => {
    const { lines } = linesOf([point({ a: 1 }), point({ constructor: 2 } as Record<string, number>)]);
    expect(lines).toEqual([
      { name: 'constructor', numbers: [undefined, 2] },
      { name: 'a', numbers: [1, undefined] },
    ]);
  });
});
