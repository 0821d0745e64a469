import { type Component, componentOf, componentsOf, textOf } from './component.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';

/** A rule of what an unsuccessful answer of a stream means. */
export interface ImportedFailure {
  status?: number;
  contains?: string;
  means:
    | 'no-records'
    | 'rate-limited'
    | 'unavailable'
    | 'forbidden'
    | 'invalid'
    | 'expired-token'
    | 'not-found';
}

/** What the product does with a status without a rule. */
function meaningOf(status: number): ImportedFailure['means'] | undefined {
  if (status === 429) return 'rate-limited';
  if (status === 401) return 'expired-token';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'not-found';
  if (status === 400 || status === 422) return 'invalid';
  return status === 408 || status >= 500 ? 'unavailable' : undefined;
}

const MEANINGS: Readonly<Record<string, ImportedFailure['means']>> = {
  IGNORE: 'no-records',
  RETRY: 'unavailable',
  RATE_LIMITED: 'rate-limited',
};
/** Statuses at which a text of the answer may mean that there are no records; at others the access or the service fails. */
const REFUSED = [400, 403, 404, 409, 410, 422];

/**
 * Returns what a filter of answers decides; also what would be so without it, because the first rule that matches counts.
 * @throws UntranslatableError for one that reads successful answers
 */
function rulesOf(filter: Component): ImportedFailure[] {
  if (filter.type !== 'HttpResponseFilter')
    throw new UntranslatableError(`the filter of answers ${String(filter.type)}`);
  const action = textOf(filter, 'action') || 'FAIL';
  const contains = textOf(filter, 'error_message_contains');
  const given = (Array.isArray(filter.http_codes) ? filter.http_codes : []).map(Number);
  if (textOf(filter, 'predicate') !== '')
    throw new UntranslatableError('a filter of answers with a condition');
  if (action === 'SUCCESS') throw new UntranslatableError('failures that count as a success');
  if (given.some((code) => !(code >= 300 && code <= 599)))
    throw new UntranslatableError('a filter of successful answers');
  const means = MEANINGS[action];
  if (action !== 'FAIL' && means === undefined) throw new UntranslatableError(`the action ${action}`);
  if (contains !== '' && action !== 'IGNORE')
    throw new UntranslatableError('a filter of answers by their message');
  if (action === 'IGNORE' && given.some((code) => code === 401 || code === 429 || code >= 500))
    throw new UntranslatableError('a failure of the access or the service that is ignored');
  const failing = given.map((status): ImportedFailure => {
    const usual = meaningOf(status) ?? 'invalid';
    const isRetried = usual === 'unavailable' || usual === 'rate-limited';
    return { status, means: means ?? (isRetried ? 'invalid' : usual) };
  });
  const named = contains === '' ? [] : REFUSED;
  return [
    ...failing,
    ...named.map(
      (status): ImportedFailure => ({ status, contains: contains.slice(0, 200), means: 'no-records' }),
    ),
  ];
}

/**
 * Translates the error handlers of a requester; waits between requests are those of the product.
 * @throws UntranslatableError
 */
export function importFailures(requester: Component): ImportedFailure[] {
  const handler = componentOf(requester, 'error_handler');
  if (!handler) return [];
  const handlers =
    handler.type === 'CompositeErrorHandler' ? componentsOf(handler, 'error_handlers') : [handler];
  return handlers.flatMap((one) => {
    if (one.type !== 'DefaultErrorHandler')
      throw new UntranslatableError(`the error handler ${String(one.type)}`);
    return componentsOf(one, 'response_filters').flatMap(rulesOf);
  });
}
