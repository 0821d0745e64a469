import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ProbeOrder, Read } from './probe.ts';

/** A thread that reads addresses until it is ended. */
export interface Probe {
  /** Returns what was read since the last call. */
  reads(): Promise<Read[]>;
  end(): Promise<void>;
}

/** Starts a thread that reads addresses in turn, so that the bench's own work does not count. */
export function startProbe(order: ProbeOrder): Probe {
  const thread = new Worker(new URL('probe.ts', import.meta.url), { workerData: order });
  return {
    reads: async () => {
      const reads = once(thread, 'message');
      thread.postMessage('report');
      return ((await reads) as [Read[]])[0];
    },
    end: async () => {
      await thread.terminate();
    },
  };
}
