import type { ConnectorDocument, FailureRule } from '@datadeck/contract/connector-document';
import { clampToOneDay, type FailedAnswer, type RefusedAnswer, retryAfterOf } from '../sdk/index.ts';
import { millisecondsOf } from './column-value.ts';

/** The parts of a document that say what unsuccessful answers mean. */
type Classified = Pick<ConnectorDocument, 'title' | 'failures' | 'quota'>;
type Meaning = FailureRule['means'] | 'malformed';

/** Numbers below this are seconds to wait, larger ones a time. */
const MAX_DELAY_SECONDS = 1e9;

/** Returns a time (ms since 1970) from seconds to wait, from a time in seconds or milliseconds, or from a date. */
function resetTimeOf(text: string, now: number): number {
  const value = Number(text);
  if (Number.isNaN(value)) return Date.parse(text);
  return value < MAX_DELAY_SECONDS ? now + value * 1000 : millisecondsOf(value);
}

/** Returns when the quota has room again by the document's header, by the clock of the provider; undefined if it is not said. */
function resetOf({ quota }: Classified, headers: Headers, now: number): number | undefined {
  const text = quota.resetHeader && headers.get(quota.resetHeader)?.trim();
  if (!text) return undefined;
  const serverNow = Date.parse(headers.get('date') ?? '') || now;
  return clampToOneDay(now + Math.max(1000, resetTimeOf(text, serverNow) - serverNow), now);
}

function untilOf(document: Classified, { headers, now }: RefusedAnswer): Date | undefined {
  const retryAfter = retryAfterOf(headers, now);
  const until = retryAfter !== undefined && retryAfter > now ? retryAfter : resetOf(document, headers, now);
  return until === undefined ? undefined : new Date(until);
}

function isUsedUp({ quota }: Classified, headers: Headers): boolean {
  const left = quota.remainingHeader && headers.get(quota.remainingHeader)?.trim();
  return Boolean(left) && Number(left) <= 0;
}

/**
 * Returns the hook `HttpApi.pausedUntil` of a document: the end of a quota that an answer used up; undefined if requests are
 * left, or if the answer does not say so.
 */
export function pausedUntilOf(document: Classified): (headers: Headers, now: number) => number | undefined {
  return (headers, now) => (isUsedUp(document, headers) ? resetOf(document, headers, now) : undefined);
}

function meaningOfStatus(document: Classified, { status, headers }: RefusedAnswer): Meaning {
  if (status === 429 || (status === 403 && isUsedUp(document, headers))) return 'rate-limited';
  if (status === 401) return 'expired-token';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'not-found';
  if (status === 400 || status === 422) return 'invalid';
  return status === 408 || status >= 500 ? 'unavailable' : 'malformed';
}

function meaningOf(document: Classified, answer: RefusedAnswer): Meaning {
  const rule = document.failures.find(
    ({ status, contains, entities }) =>
      (entities === undefined || (answer.entity !== undefined && entities.includes(answer.entity))) &&
      (status === undefined || status === answer.status) &&
      (contains === undefined || answer.body.includes(contains)),
  );
  return rule?.means ?? meaningOfStatus(document, answer);
}

function fail(
  failure: 'forbidden' | 'not-found' | 'invalid' | 'cursor-expired' | 'malformed',
  message: string,
): Extract<FailedAnswer, { kind: 'fail' }> {
  return { kind: 'fail', failure, message };
}

/**
 * Returns the classifier of a document, `HttpApi.classify`. Use it for answers of status 200 that the document calls failures,
 * too. Messages never contain text of the provider, which may repeat the secret.
 */
export function classifierOf(document: Classified): (answer: RefusedAnswer) => FailedAnswer {
  const { title } = document;
  return (answer) => {
    const means = meaningOf(document, answer);
    const { status } = answer;
    switch (means) {
      case 'expired-token':
        return { kind: 'expired-token', message: `${title} does not accept the access. Connect it again.` };
      case 'rate-limited':
        return {
          kind: 'retry-later',
          until: untilOf(document, answer),
          message: `${title} asks to wait: its rate limit is used up.`,
        };
      case 'unavailable':
        return { kind: 'retry', message: `${title} is failing (status ${status}). Try again later.` };
      case 'forbidden':
        return fail(means, `${title} does not allow the connected account to read this.`);
      case 'not-found':
        return fail(
          means,
          `${title} does not have this, or the connected account cannot see it. Check the settings.`,
        );
      case 'invalid':
        return fail(means, `${title} refused the request (status ${status}). Check the settings.`);
      case 'cursor-expired':
        return fail(means, `${title} no longer knows where the last run ended.`);
      case 'no-records':
        return { ...fail('not-found', `${title} has no records here.`), isEmpty: true };
      case 'malformed':
        return fail(means, `${title} answered in a way that its connector does not know (status ${status}).`);
    }
  };
}
