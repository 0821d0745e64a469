import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@datadeck/connectors';

/** A clock on which waiting takes no time: each pause moves it on. */
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
