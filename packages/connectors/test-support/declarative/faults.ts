import type { FaultAnswer } from '../../src/sdk/conformance/faults.ts';
import type { FaultOrder } from '../conformance/index.ts';

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

/** Returns the answer of a fault by its name. @throws Error for an unknown one */
export function answerFor({ name, location = '' }: FaultOrder): FaultAnswer {
  if (name === 'redirect') return { status: 302, headers: { location } };
  const answer = FAULTS[name];
  if (!answer) throw new Error(`no fault ${name}`);
  return answer;
}
