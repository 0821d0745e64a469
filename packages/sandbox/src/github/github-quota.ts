import { ConcurrencyGate } from '../quota/concurrency-gate.ts';
import { QuotaWindow } from '../quota/quota-window.ts';
import type { Settings } from '../settings/sandbox-options.ts';

const REQUESTS_PER_HOUR = 5000;
const GRAPHQL_POINTS_PER_HOUR = 5000;
const ANONYMOUS_PER_HOUR = 60;
const POINTS_PER_MINUTE = 900;
const CONCURRENT = 100;

/** GitHub's limits: the primary hourly ones of REST and GraphQL, and for both together the secondary ones on points per minute and concurrent requests. */
export interface GithubQuota {
  requests: QuotaWindow;
  /** Points of GraphQL queries. */
  graphql: QuotaWindow;
  anonymous: QuotaWindow;
  points: QuotaWindow;
  gate: ConcurrencyGate;
}

/** Returns the quotas, scaled by the settings. */
export function githubQuota(settings: Settings): GithubQuota {
  const window = (limit: number, minutes: number) => {
    return new QuotaWindow({
      limit: Math.ceil(limit * settings.quotaScale),
      shownLimit: limit,
      windowMs: minutes * settings.minuteMs,
    });
  };
  return {
    requests: window(REQUESTS_PER_HOUR, 60),
    graphql: window(GRAPHQL_POINTS_PER_HOUR, 60),
    anonymous: window(ANONYMOUS_PER_HOUR, 60),
    points: window(POINTS_PER_MINUTE, 1),
    gate: new ConcurrencyGate(Math.ceil(CONCURRENT * settings.quotaScale)),
  };
}
