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

const SCOPES = { count: 6, estimated: 6, results: [], cutCount: 0, cut: [] };
const LABELS = { one: 'label', many: 'labels', limit: 100 };

describe('planSentence', () => {
  it.each([
    [plan({}), 'This sync: 1 record, a few seconds.'],
    [plan({ incremental: true }), 'This sync: 1 changed record, a few seconds.'],
    [
      plan({ records: 500, total: 8400, units: 10_007, seconds: 100 }),
      'This sync: 500 messages, about 2 min; your plan stops at 500 of 8,400.',
    ],
    [
      plan({ records: 900, total: 8400, units: 12, scopes: { ...SCOPES, cutCount: 7 } }),
      'This sync: 900 messages of 6 labels, a few seconds; your plan leaves out 7 labels.',
    ],
    [
      plan({
        incremental: true,
        records: 0,
        scopes: { ...SCOPES, results: [{ name: 'A', total: null, records: 0, message: 'It is gone.' }] },
      }),
      'This sync: 0 changed messages of 6 labels, a few seconds.',
    ],
    [
      plan({ incremental: true, records: 0 }),
      'Nothing has changed since the last sync, so this one takes only a moment.',
    ],
  ])('describes %j as %s', (syncPlan, sentence) => {
    expect(planSentence(syncPlan, { title: 'Messages', scopes: LABELS })).toBe(sentence);
  });
});
