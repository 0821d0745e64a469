import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from './clock.ts';
import { Allowance, type GrantTerms, type SettledGrant } from './quota-ledger.ts';
import { Scheduler } from './scheduler.ts';

const never = new AbortController().signal;

/** Creates a slow ledger with unlimited units. */
function slowLedger(answerMs: number) {
  const asked: { units: number; settled: readonly SettledGrant[]; terms: GrantTerms }[] = [];
  return {
    asked,
    grant: async (
      units: number,
      settled: SettledGrant | readonly SettledGrant[] = [],
      terms: GrantTerms = {},
    ) => {
      asked.push({ units, settled: [settled].flat(), terms });
      await sleep(answerMs);
      return { isGranted: true, waitMs: 0, units, id: String(asked.length) };
    },
  };
}

describe('Allowance', () => {
  it('requests a longer grant after one expired on arrival', async () => {
    // A grant of this minute is valid for 5 ms.
    const ledger = slowLedger(60);
    const allowance = new Allowance(ledger, 6000, 600);
    expect(await allowance.take(10, never)).toBe(0);
    const validMs = ledger.asked.map(({ terms }) => terms.validMs ?? 0);
    expect(validMs[0]).toBe(5);
    expect(validMs.at(-1)).toBeGreaterThan(60);
    // The first grant had expired on arrival and is returned whole.
    expect(ledger.asked[1]?.settled).toEqual([{ id: '1', units: ledger.asked[0]?.units }]);
  });

  it('requests the next grant while the last one is being used', async () => {
    const ledger = slowLedger(60);
    const allowance = new Allowance(ledger, 6000, 600);
    await allowance.take(10, never);
    const questions = ledger.asked.length;
    const portion = ledger.asked.at(-1)?.units ?? 0;
    for (let units = 10; units <= portion / 2; units += 10) expect(await allowance.take(10, never)).toBe(0);
    expect(ledger.asked.length).toBeGreaterThan(questions);
  });
});

describe('Scheduler with a quota ledger', () => {
  it('stops waiting on abort for a ledger that never answers', async () => {
    const ledger = { grant: () => new Promise<never>(() => undefined) };
    const scheduler = new Scheduler({ concurrency: 1, unitsPerMinute: 600 }, systemClock, ledger);
    const abort = new AbortController();
    const waiting = scheduler.run(1, async () => 'done', { signal: abort.signal });
    abort.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');

    // The slot is free again.
    const next = new AbortController();
    const second = scheduler.run(1, async () => 'done', { signal: next.signal });
    next.abort(new Error('cancelled too'));
    await expect(second).rejects.toThrow('cancelled too');
  });
});
