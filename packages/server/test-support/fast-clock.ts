import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@datadeck/connectors';

/** A clock without real waits: each pause advances the time. */
export function fastClock(): Clock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    pause: async (ms, signal) => {
      ahead += ms;
      await nextTurn();
      signal.throwIfAborted();
    },
  };
}
