import type { ServerResponse } from 'node:http';
import type { FaultOrder } from '../conformance/index.ts';

/** An answer in place of the real one. */
export interface FaultAnswer {
  status: number;
  body?: string;
  headers?: Record<string, string>;
  /** Sends the body and never ends it. */
  isStalled?: boolean;
  isReset?: boolean;
}

/** The answer to a request for which the quota has no room. */
export const TOO_MANY: FaultAnswer = { status: 429, body: 'slow down', headers: { 'retry-after': '30' } };

const FAULTS: Readonly<Record<string, FaultAnswer>> = {
  'http-500': { status: 500, body: '{"error":"oops"}' },
  'html-error-body': { status: 503, body: '<html>Be back soon</html>' },
  'html-instead-of-json': { status: 200, body: '<html>' },
  'connection-reset': { status: 200, isReset: true },
  'stalled-stream': { status: 200, body: '{', isStalled: true },
  'token-expired': { status: 401 },
  'rate-limit': TOO_MANY,
  'not-found': { status: 404, body: '{"error":"there is no such list"}' },
};

function answerFor({ name, location = '' }: FaultOrder): FaultAnswer {
  if (name === 'redirect') return { status: 302, headers: { location } };
  const answer = FAULTS[name];
  if (!answer) throw new Error(`no fault ${name}`);
  return answer;
}

/** Faults that wait for their requests. */
export class PendingFaults {
  #faults: { answer: FaultAnswer; times: number; afterRequests: number }[] = [];

  add(fault: FaultOrder): void {
    const { times = 1, afterRequests = 0 } = fault;
    this.#faults.push({ answer: answerFor(fault), times, afterRequests });
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
