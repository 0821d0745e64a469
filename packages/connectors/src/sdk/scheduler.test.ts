import { describe, expect, it, vi } from 'vitest';
import type { Clock } from './clock.ts';
import { orderedParallel } from './ordered-parallel.ts';
import { Scheduler } from './scheduler.ts';

const never = new AbortController().signal;

/** Jumps to the end of every pause. */
function jumpingClock(): Clock & { time: number } {
  return {
    time: 0,
    now() {
      return this.time;
    },
    async pause(ms) {
      this.time += ms;
    },
  };
}

describe('Scheduler', () => {
  it('passes the turn of an aborted waiter to the next one', async () => {
    const scheduler = new Scheduler({ concurrency: 1, unitsPerMinute: 1000 });
    const first = Promise.withResolvers<void>();
    const running = scheduler.run(1, () => first.promise, { signal: never });
    const abort = new AbortController();
    const given = scheduler.run(1, async () => 'never', { signal: abort.signal });
    const next = scheduler.run(1, async () => 'next', { signal: never });
    abort.abort(new Error('stopped'));
    await expect(given).rejects.toThrow('stopped');

    first.resolve();
    await running;
    expect(await next).toBe('next');
    expect(await scheduler.run(1, async () => 'later', { signal: never })).toBe('later');
  });

  it('frees the slot of a waiter that aborts as it gets the slot', async () => {
    const scheduler = new Scheduler({ concurrency: 1, unitsPerMinute: 1000 });
    const first = Promise.withResolvers<void>();
    const running = scheduler.run(1, () => first.promise, { signal: never });
    const abort = new AbortController();
    const given = scheduler.run(1, async () => 'never', { signal: abort.signal });
    first.resolve();
    void running.then(() => abort.abort(new Error('stopped')));
    await given.catch(() => undefined);
    expect(await scheduler.run(1, async () => 'later', { signal: never })).toBe('later');
  });

  it('grants slots in order and never more than the concurrency', async () => {
    const scheduler = new Scheduler({ concurrency: 3, unitsPerMinute: 1000 });
    const order: number[] = [];
    let inFlight = 0;
    let most = 0;
    const task = (number: number) => async () => {
      most = Math.max(most, ++inFlight);
      order.push(number);
      await new Promise((resolve) => setTimeout(resolve, 2));
      inFlight--;
    };

    await Promise.all(
      Array.from({ length: 20 }, (_, number) => scheduler.run(1, task(number), { signal: never })),
    );

    expect(most).toBe(3);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('uses at most the quota in any 60 seconds, except by a single large request', async () => {
    const clock = jumpingClock();
    const scheduler = new Scheduler({ concurrency: 1, unitsPerMinute: 100 }, clock);
    const spends: { at: number; units: number }[] = [];
    for (const units of [60, 30, 20, 5, 90, 150, 40, 40, 40]) {
      await scheduler.run(units, async () => spends.push({ at: clock.time, units }), { signal: never });
      clock.time += 700;
    }
    for (const { at } of spends) {
      const within = spends.filter((spend) => spend.at > at - 60_000 && spend.at <= at);
      const sum = within.reduce((total, spend) => total + spend.units, 0);
      if (within.length > 1) expect(sum).toBeLessThanOrEqual(100);
    }
  });

  it('keeps concurrent requests within the quota, with and without a ledger', async () => {
    const abort = new AbortController();
    const begin = async (scheduler: Scheduler, units: number) => {
      let begun = 0;
      const run = () => scheduler.run(units, async () => begun++, { signal: abort.signal }).catch(() => -1);
      for (let count = 0; count < 5; count++) void run();
      await new Promise((resolve) => setTimeout(resolve, 20));
      return begun;
    };
    const quota = { concurrency: 5, unitsPerMinute: 10 };
    expect(await begin(new Scheduler(quota), 3)).toBe(3);

    let isGranted = false;
    const grant = async () => ({ isGranted, waitMs: isGranted ? 0 : 60_000 });
    const sharing = new Scheduler(quota, undefined, { grant });
    expect(await begin(sharing, 3)).toBe(0);
    isGranted = true;
    expect(await begin(sharing, 3)).toBe(3);
    abort.abort(new Error('stopped'));
  });

  it('rejects a wait longer than waitTimeoutMs', async () => {
    const clock = jumpingClock();
    const scheduler = new Scheduler({ concurrency: 1, unitsPerMinute: 100 }, clock);
    scheduler.pauseUntil(3_600_000);
    const run = scheduler.run(1, async () => 1, { signal: never, waitTimeoutMs: 90_000 });
    await expect(run).rejects.toMatchObject({
      failure: 'rate-limited',
      message: expect.stringContaining('quota'),
      until: new Date(3_600_000),
    });
    const longWait = { signal: never, waitTimeoutMs: 3_600_000 };
    expect(await scheduler.run(1, async () => 'in an hour', longWait)).toBe('in an hour');
  });

  it('runs a small request before waiting large ones and rejects a long wait', async () => {
    const scheduler = new Scheduler({ concurrency: 2, unitsPerMinute: 100 });
    await scheduler.run(95, async () => undefined, { signal: never });
    const abort = new AbortController();
    const large = Array.from({ length: 3 }, () =>
      scheduler.run(20, async () => 'large', { signal: abort.signal }).catch(() => 'given up'),
    );
    expect(await scheduler.run(1, async () => 'small', { signal: never })).toBe('small');

    const waits: number[] = [];
    const refused = scheduler.run(10, async () => 'too many', {
      signal: never,
      waitTimeoutMs: 1000,
      onWait: (until) => waits.push(until),
    });
    await expect(refused).rejects.toMatchObject({ failure: 'rate-limited' });
    expect(waits).toEqual([]);

    abort.abort(new Error('stopped'));
    expect(await Promise.all(large)).toEqual(['given up', 'given up', 'given up']);
  });

  it('grants the last units of a minute although a larger portion is refused', async () => {
    let granted = 0;
    const ledger = {
      grant: async (most: number, _settled: unknown = [], { atLeast = most } = {}) => {
        const units = atLeast * Math.floor(Math.min(most, 6000 - granted) / atLeast);
        granted += units;
        return { isGranted: units > 0, units, waitMs: units > 0 ? 0 : 60_000 };
      },
    };
    const scheduler = new Scheduler({ concurrency: 2, unitsPerMinute: 6000 }, jumpingClock(), ledger);
    await ledger.grant(5990);
    const turn = { signal: never, waitTimeoutMs: 1000 };

    expect(await scheduler.run(2, async () => 'done', turn)).toBe('done');
    await expect(scheduler.run(20, async () => 'too many', turn)).rejects.toMatchObject({
      failure: 'rate-limited',
    });
    expect(granted).toBeLessThanOrEqual(6000);
  });
});

describe('delayFor of Scheduler', () => {
  const QUOTA = { concurrency: 2, unitsPerMinute: 100 };
  const use = (scheduler: Scheduler, units: number) =>
    scheduler.run(units, async () => undefined, { signal: never });

  it('waits until enough of the earlier units are a minute old', async () => {
    const clock = jumpingClock();
    const scheduler = new Scheduler(QUOTA, clock);
    await use(scheduler, 60);
    clock.time = 10_000;
    await use(scheduler, 30);

    expect(scheduler.delayFor(10, 20_000)).toBe(0);
    expect(scheduler.delayFor(11, 20_000)).toBe(40_000);
    expect(scheduler.delayFor(80, 20_000)).toBe(50_000);
    expect(scheduler.delayFor(80, 70_000)).toBe(0);
  });

  it('counts a request from its end, unless it took longer than a minute', async () => {
    const clock = jumpingClock();
    const scheduler = new Scheduler(QUOTA, clock);
    const lasting = (ms: number, during = () => {}) =>
      scheduler.run(
        60,
        async () => {
          clock.time += ms;
          during();
        },
        { signal: never },
      );
    await lasting(10_000);
    expect(scheduler.delayFor(100, 60_000)).toBe(10_000);

    clock.time = 100_000;
    await lasting(70_000, () => scheduler.delayFor(1, clock.time));
    expect(scheduler.delayFor(100, 170_000)).toBe(0);
  });

  it('ignores an instant that is not a number', () => {
    const scheduler = new Scheduler(QUOTA, jumpingClock());
    scheduler.pauseUntil(5000);
    scheduler.pauseUntil(Number.NaN);
    expect(scheduler.notBefore).toBe(5000);
    expect(scheduler.delayFor(1, 1000)).toBe(4000);
  });
});

describe('Scheduler with a ledger', () => {
  const QUOTA = { concurrency: 1, unitsPerMinute: 100 };
  const turn = { signal: never };

  it('frees the slot and the units of a request whose grant fails', async () => {
    let isBroken = true;
    const grant = async () => {
      if (isBroken) throw new Error('no database');
      return { isGranted: true, waitMs: 0 };
    };
    const scheduler = new Scheduler(QUOTA, jumpingClock(), { grant });
    await expect(scheduler.run(100, async () => 'never', turn)).rejects.toThrow('no database');
    isBroken = false;
    expect(await scheduler.run(100, async () => 'next', { ...turn, waitTimeoutMs: 0 })).toBe('next');
  });

  it('does not ask it for a request without units', async () => {
    const grant = vi.fn(async () => ({ isGranted: true, waitMs: 0 }));
    const scheduler = new Scheduler(QUOTA, jumpingClock(), { grant });
    expect(await scheduler.run(0, async () => 'free', turn)).toBe('free');
    expect(grant).not.toHaveBeenCalled();
  });
});

describe('orderedParallel', () => {
  it('prefetches in order for a slow consumer and aborts unused tasks', async () => {
    let started = 0;
    const aborted: number[] = [];
    const task = async (item: number, signal: AbortSignal) => {
      signal.addEventListener('abort', () => aborted.push(item), { once: true });
      started++;
      await new Promise((resolve) => setTimeout(resolve, item % 3));
      return item;
    };
    const seen: number[] = [];

    for await (const item of orderedParallel(
      Array.from({ length: 50 }, (_, index) => index),
      () => 8,
      task,
    )) {
      seen.push(item);
      if (item === 10) await new Promise((resolve) => setTimeout(resolve, 30));
      if (item === 10) expect(started).toBe(11 + 8);
      if (item === 20) break;
    }

    expect(seen).toEqual(Array.from({ length: 21 }, (_, index) => index));
    expect(aborted.length).toBeGreaterThan(0);
    expect(started).toBeLessThanOrEqual(21 + 8);
  });
});

/** Keeps the scheduler busy with requests that take a turn of the event loop. @returns the largest number in flight */
async function maxInFlightDuring(
  scheduler: Scheduler,
  requests: number,
  perform: () => void,
): Promise<number> {
  let inFlight = 0;
  let most = 0;
  const request = async () => {
    most = Math.max(most, ++inFlight);
    await new Promise((resolve) => setImmediate(resolve));
    inFlight--;
    perform();
  };
  await Promise.all(Array.from({ length: requests }, () => scheduler.run(0, request, { signal: never })));
  return most;
}

describe('adaptive concurrency of Scheduler', () => {
  // @covers limits.gmail-429-too
  it('grows to the maximum while requests succeed and shrinks on overload', async () => {
    const clock = jumpingClock();
    const scheduler = new Scheduler({ concurrency: 5, maxConcurrency: 10, unitsPerMinute: 1000 }, clock);
    expect(await maxInFlightDuring(scheduler, 12, () => scheduler.succeeded(50))).toBeLessThan(7);
    expect(await maxInFlightDuring(scheduler, 300, () => scheduler.succeeded(50))).toBe(10);

    for (let overloads = 0; overloads < 10; overloads++) scheduler.overloaded();
    expect(scheduler.concurrency).toBe(5);
    expect(await maxInFlightDuring(scheduler, 20, () => undefined)).toBe(5);
    for (let overloads = 0; overloads < 10; overloads++) {
      clock.time += 2000;
      scheduler.overloaded();
    }
    expect(scheduler.concurrency).toBe(1);
    expect(await maxInFlightDuring(scheduler, 300, () => scheduler.succeeded(50))).toBeGreaterThan(5);
  });

  it('does not grow while responses arrive faster than growFromMs', async () => {
    const quota = { concurrency: 5, maxConcurrency: 10, growFromMs: 400, unitsPerMinute: 1000 };
    const scheduler = new Scheduler(quota, jumpingClock());
    expect(await maxInFlightDuring(scheduler, 300, () => scheduler.succeeded(399))).toBe(5);
    expect(await maxInFlightDuring(scheduler, 300, () => scheduler.succeeded(400))).toBe(10);
  });

  it('never grows without maxConcurrency', async () => {
    const scheduler = new Scheduler({ concurrency: 3, unitsPerMinute: 1000 });
    expect(await maxInFlightDuring(scheduler, 200, () => scheduler.succeeded(50))).toBe(3);
  });
});
