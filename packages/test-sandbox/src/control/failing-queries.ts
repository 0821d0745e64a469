import type { GithubService } from '@datadeck/sandbox/parts';

/**
 * How GitHub's GraphQL API fails although the query is right: `something-wrong` after a timeout of its own, and
 * `rate-limit-code`, the form of a used quota since the end of 2025. Both are HTTP 200.
 */
export type QueryFailure = 'something-wrong' | 'rate-limit-code';

/** The next queries that fail, by service. */
export const failingQueries = new WeakMap<GithubService, { failure: QueryFailure; left: number }>();
