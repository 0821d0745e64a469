import type { ServerResponse } from 'node:http';

/** An answer of a stand-in in place of the real one. */
export interface FaultAnswer {
  status: number;
  body?: string;
  headers?: Record<string, string>;
  /** Sends the body and never ends it. */
  isStalled?: boolean;
  isReset?: boolean;
}

/** Which requests get a fault. */
interface FaultTiming {
  /** Number of requests to affect; default 1. */
  times?: number;
  /** Number of requests to pass before the fault. */
  afterRequests?: number;
}

/** Faults that wait for their requests. */
export class PendingFaults {
  #faults: { answer: FaultAnswer; times: number; afterRequests: number }[] = [];

  add(answer: FaultAnswer, { times = 1, afterRequests = 0 }: FaultTiming = {}): void {
    this.#faults.push({ answer, times, afterRequests });
  }

  clear(): void {
    this.#faults = [];
  }

  /** Returns the fault of this request; undefined without one. */
  next(): FaultAnswer | undefined {
    for (const fault of this.#faults) {
      if (fault.times > 0 && fault.afterRequests-- <= 0) {
        fault.times--;
        return fault.answer;
      }
    }
    return undefined;
  }
}

/** Sends a fault. */
export function sendFault(response: ServerResponse, { status, body, headers, ...how }: FaultAnswer): void {
  if (how.isReset) {
    response.socket?.destroy();
    return;
  }
  response.writeHead(status, headers);
  if (how.isStalled) response.write(body ?? '');
  else response.end(body);
}
