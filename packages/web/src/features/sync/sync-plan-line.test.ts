import type { SyncPlan } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { planSentence } from './sync-plan-line.tsx';

const plan = (change: Partial<SyncPlan>): SyncPlan => ({
  incremental: false,
  total: 1,
  records: 1,
  requests: 1,
  units: 1,
  unitsPerMinute: null,
  seconds: 1,
  cap: 500,
  waitUntil: null,
  ...change,
});

describe('planSentence', () => {
  it.each([
    [plan({}), 'This sync: 1 record, 1 unit, a few seconds.'],
    [plan({ incremental: true }), 'This sync: 1 changed record, 1 unit, a few seconds.'],
    [
      plan({ records: 500, total: 8400, units: 10_007, seconds: 100 }),
      'This sync: 500 messages, 10,007 units, about 2 min; your plan stops at 500 of 8,400.',
    ],
    [
      plan({ incremental: true, records: 0 }),
      'Nothing has changed since the last sync, so this one takes only a moment.',
    ],
  ])('describes %j as %s', (syncPlan, sentence) => {
    expect(planSentence(syncPlan, 'Messages')).toBe(sentence);
  });
});
