import { z } from 'zod';
import type { FailedAnswer } from '../sdk/index.ts';

const bodySchema = z
  .object({
    error: z.object({
      message: z.string().default(''),
      status: z.string().optional(),
      errors: z.array(z.object({ reason: z.string().default('') })).default([]),
    }),
  })
  .catch({ error: { message: '', errors: [] } });

const WAIT_REASONS = new Set([
  'userRateLimitExceeded',
  'rateLimitExceeded',
  'quotaExceeded',
  'RATE_LIMIT_EXCEEDED',
]);

function parse(text: string): { message: string; reasons: string[] } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = {};
  }
  const { error } = bodySchema.parse(body);
  return { message: error.message, reasons: error.errors.map((item) => item.reason) };
}

/** Gmail's Retry-After is unreliable: it is only a hint beside the client's own back-off. */
function retryAfter(headers: Headers): Date | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const at = /^\d+$/.test(value) ? Date.now() + Number(value) * 1000 : Date.parse(value);
  return Number.isFinite(at) ? new Date(at) : undefined;
}

/** Midnight in Pacific time is when daily budgets return; an hour is a safe first step towards it. */
const DAILY_WAIT_MS = 3_600_000;

/** Gmail's failures in our terms (developers.google.com/gmail/api/guides/handle-errors). */
export function classifyGmail(answer: { status: number; headers: Headers; body: string }): FailedAnswer {
  const { status, headers } = answer;
  const { message, reasons } = parse(answer.body);
  const waitMessage = 'Gmail asks to wait: its quota is used up.';
  if (reasons.includes('dailyLimitExceeded')) {
    return { kind: 'retry-later', until: new Date(Date.now() + DAILY_WAIT_MS), message: waitMessage };
  }
  if (status === 429 || (status === 403 && reasons.some((reason) => WAIT_REASONS.has(reason)))) {
    return { kind: 'retry-later', until: retryAfter(headers), message: waitMessage };
  }
  if (status === 401)
    return {
      kind: 'expired-token',
      message: 'Google no longer accepts the access it granted. Connect Gmail again.',
    };
  if (status === 403) {
    const lacksScope = reasons.includes('insufficientPermissions') || /insufficient/i.test(message);
    return lacksScope
      ? {
          kind: 'fail',
          failure: 'reauthorise',
          message: 'Reading Gmail was not allowed. Connect Gmail again and leave that box ticked.',
        }
      : {
          kind: 'fail',
          failure: 'forbidden',
          message: `Gmail refused access${message ? `: ${message}` : ''}.`,
        };
  }
  if (status === 404)
    return { kind: 'fail', failure: 'not-found', message: 'Gmail does not know what was asked for.' };
  if (status >= 500)
    return { kind: 'retry', message: `Gmail is failing (status ${status}). Try again later.` };
  return {
    kind: 'fail',
    failure: 'invalid',
    message: `Gmail refused the request${message ? `: ${message}` : ` (status ${status})`}.`,
  };
}
