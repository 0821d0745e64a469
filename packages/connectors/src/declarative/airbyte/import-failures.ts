import { FAILED_ANSWER } from '../expression.ts';
import { answerVariables } from './answer-variables.ts';
import { type Component, componentOf, componentsOf, textOf } from './component.ts';
import { withHelpers } from './jinja/python-functions.ts';
import { translateTemplate } from './jinja/translate-template.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';
import { scopeAt, type TemplateScope } from './variables.ts';

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
  // The CDK reads no records of an unsuccessful answer, also where it counts as a success.
  SUCCESS: 'no-records',
  RETRY: 'unavailable',
  RATE_LIMITED: 'rate-limited',
};
/** Statuses at which a text of the answer may mean that there are no records, or to wait; at others the access or the service fails. */
const REFUSED = [400, 403, 404, 409, 410, 422];

/** Statuses at which later handlers decide: at others the first one succeeds or retries, also where none of its filters matches. */
const PASSED_ON: readonly unknown[] = [400, 401, 403, 404, 405, 429];

/** What the error handlers of a requester decide. */
export interface ImportedFailures {
  rules: ImportedFailure[];
  /** Yields a text of `FAILED_ANSWER` for a successful answer that is a failure, otherwise false; absent where none is. */
  failing?: string;
}

/** What a filter of answers decides. */
interface FilterRules {
  /** What unsuccessful answers mean; also what would be so without it, because the first rule that matches counts. */
  rules: ImportedFailure[];
  /** Expression of the answers, also successful ones, that the filter is for by their content. */
  condition?: string;
  isFailing: boolean;
  /** Whether the CDK repeats the requests of the answers. */
  isRetried: boolean;
}

/** Whether the access or the service fails, of which people must learn: a list that was ignored would look empty. */
const isOutage = (status: number) => status === 401 || status === 429 || status >= 500;

/** Returns the expression of the answers that a filter is for by their content; undefined for one by status alone. */
function conditionOf(filter: Component, outer: TemplateScope): string | undefined {
  const [predicate, contains] = [textOf(filter, 'predicate'), textOf(filter, 'error_message_contains')];
  const variables = answerVariables(scopeAt(filter, outer));
  const tests = [
    ...(predicate === '' ? [] : [translateTemplate(predicate, variables).truth]),
    ...(contains === '' ? [] : [`$contains($errorText(response), ${JSON.stringify(contains)})`]),
  ];
  return tests.length === 0 ? undefined : tests.map((test) => `(${test})`).join(' or ');
}

/** @throws UntranslatableError for a filter that reads successful answers by their status */
function rulesOf(filter: Component, scope: TemplateScope): FilterRules {
  if (filter.type !== 'HttpResponseFilter')
    throw new UntranslatableError(`the filter of answers ${String(filter.type)}`);
  const action = textOf(filter, 'action') || 'FAIL';
  const contains = textOf(filter, 'error_message_contains');
  const given = (Array.isArray(filter.http_codes) ? filter.http_codes : []).map(Number);
  if (given.some((code) => !(code >= 300 && code <= 599)))
    throw new UntranslatableError('a filter of successful answers');
  const means = MEANINGS[action];
  if (action !== 'FAIL' && means === undefined) throw new UntranslatableError(`the action ${action}`);
  const isIgnored = means === 'no-records';
  const rules = given
    .filter((status) => !(isIgnored && isOutage(status)))
    .map((status): ImportedFailure => {
      const usual = meaningOf(status) ?? 'invalid';
      const isRetried = usual === 'unavailable' || usual === 'rate-limited';
      return { status, means: means ?? (isRetried ? 'invalid' : usual) };
    });
  const named =
    contains === '' || means === undefined ? [] : REFUSED.filter((status) => !given.includes(status));
  const found = named.map(
    (status): ImportedFailure => ({ status, contains: contains.slice(0, 200), means: means ?? 'invalid' }),
  );
  const condition = conditionOf(filter, scope);
  return {
    rules: [...rules, ...found],
    isFailing: !isIgnored,
    isRetried: action === 'RETRY' || action === 'RATE_LIMITED',
    ...(condition !== undefined && { condition }),
  };
}

/** Returns a filter of a later handler without rules for no records that an earlier handler leaves nothing for. */
function reachedRules(filter: FilterRules): FilterRules {
  const rules = filter.rules.filter(
    ({ means, status }) => means !== 'no-records' || PASSED_ON.includes(status),
  );
  return { ...filter, rules };
}

/** Returns what a successful answer is that a filter is for, as an expression. */
function outcomeOf({ isFailing, isRetried }: FilterRules): string {
  return isFailing ? JSON.stringify(isRetried ? FAILED_ANSWER.temporary : FAILED_ANSWER.permanent) : 'false';
}

/** Returns the expression of the successful answers that are failures: the first filter that matches decides. */
function failingOf(filters: readonly FilterRules[]): string | undefined {
  if (!filters.some(({ condition, isFailing }) => condition !== undefined && isFailing)) return undefined;
  const source = filters.reduceRight(
    (rest, filter) =>
      filter.condition === undefined ? rest : `${filter.condition} ? ${outcomeOf(filter)} : (${rest})`,
    'false',
  );
  return withHelpers(source);
}

/**
 * Translates the error handlers of a requester; waits between requests, and how often one is repeated, are those of the product. So are
 * unsuccessful answers that a filter finds by a condition: they are failures, of which people learn.
 * @throws UntranslatableError
 */
export function importFailures(requester: Component, outer: TemplateScope): ImportedFailures {
  const handler = componentOf(requester, 'error_handler');
  if (!handler) return { rules: [] };
  const handlers =
    handler.type === 'CompositeErrorHandler' ? componentsOf(handler, 'error_handlers') : [handler];
  const groups = handlers.map((one, place) => {
    if (one.type !== 'DefaultErrorHandler')
      throw new UntranslatableError(`the error handler ${String(one.type)}`);
    const filters = componentsOf(one, 'response_filters').map((filter) =>
      rulesOf(filter, scopeAt(one, outer)),
    );
    return place === 0 ? filters : filters.map(reachedRules);
  });
  const all = groups.flat();
  const first = all.findIndex(({ condition, isFailing }) => condition !== undefined && isFailing);
  const isShadowing =
    first >= 0 && all.slice(first + 1).some(({ rules }) => rules.some(({ means }) => means === 'no-records'));
  if (isShadowing) throw new UntranslatableError('a condition before failures that are ignored');
  // A successful answer that the first of several handlers has no filter for is a success.
  const [own = [], ...others] = groups;
  const failing = failingOf(own);
  if (failing !== undefined && others.length > 0)
    throw new UntranslatableError('conditions of several error handlers');
  return { rules: all.flatMap(({ rules }) => rules), ...(failing !== undefined && { failing }) };
}
