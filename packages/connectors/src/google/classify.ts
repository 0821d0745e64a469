import { z } from 'zod';
import { type FailedAnswer, type RefusedAnswer, retryAfterOf } from '../sdk/index.ts';

/** Longest part of a Gmail error message that is shown, characters. */
const MAX_MESSAGE = 500;
const reasons = z.array(z.object({ reason: z.string().default('') })).catch([]);
const bodySchema = z
  .object({
    error: z.object({
      message: z.string().default(''),
      status: z.string().optional(),
      errors: reasons,
      details: reasons,
    }),
  })
  .catch({ error: { message: '', errors: [], details: [] } });

const WAIT_REASONS = new Set([
  'userRateLimitExceeded',
  'rateLimitExceeded',
  'quotaExceeded',
  'RATE_LIMIT_EXCEEDED',
  'RESOURCE_EXHAUSTED',
]);

/** Truncates the message and removes its final full stop, to embed it in a sentence. */
function withoutFullStop(message: string): string {
  const short = message.slice(0, MAX_MESSAGE);
  return short.endsWith('.') ? short.slice(0, -1) : short;
}

function parseErrorBody(text: string): { message: string; reasons: string[]; isReadable: boolean } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { message: '', reasons: [], isReadable: false };
  }
  const { error } = bodySchema.parse(body);
  const named = [...error.errors, ...error.details].map((item) => item.reason);
  return {
    message: withoutFullStop(error.message),
    reasons: [...named, error.status ?? ''],
    isReadable: true,
  };
}

/** Wait after a daily limit, which resets at midnight Pacific time; try again every hour until then. */
const DAILY_WAIT_MS = 3_600_000;

/** Classifies Gmail's errors (developers.google.com/gmail/api/guides/handle-errors). */
export function classifyGmail(answer: RefusedAnswer): FailedAnswer {
  const { status, headers, now } = answer;
  const { message, reasons, isReadable } = parseErrorBody(answer.body);
  const waitMessage = 'Gmail asks to wait: its quota is used up.';
  if (reasons.includes('dailyLimitExceeded')) {
    return { kind: 'retry-later', until: new Date(now + DAILY_WAIT_MS), message: waitMessage };
  }
  if (status === 429 || (status === 403 && reasons.some((reason) => WAIT_REASONS.has(reason)))) {
    // Gmail's Retry-After is unreliable, so the client's own backoff is the minimum.
    const hint = retryAfterOf(headers, now);
    return {
      kind: 'retry-later',
      until: hint === undefined ? undefined : new Date(hint),
      message: waitMessage,
      isOverloaded: /concurrent/i.test(message),
    };
  }
  if (status === 401)
    return {
      kind: 'expired-token',
      message: 'Google no longer accepts the access it granted. Connect Gmail again.',
    };
  // A 403 without a readable reason may be a rate limit.
  if (status === 403 && !isReadable)
    return { kind: 'retry', message: 'Gmail refused the request without a reason. Try again later.' };
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
    return { kind: 'fail', failure: 'not-found', message: 'Gmail did not find the requested item.' };
  if (status >= 500 || status === 408)
    return { kind: 'retry', message: `Gmail is failing (status ${status}). Try again later.` };
  return {
    kind: 'fail',
    failure: 'invalid',
    message: `Gmail refused the request${message ? `: ${message}` : ` (status ${status})`}.`,
  };
}
