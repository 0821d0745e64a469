import { crc32 } from 'node:zlib';
import {
  accountSubject,
  badCredentials,
  GithubError,
  type GithubService,
  GraphqlRefusal,
  pointsUsedUp,
  primaryLimit,
  secondaryLimit,
} from '@datadeck/sandbox/parts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failingQueries } from '../control/failing-queries.ts';
import { changeList, changeRepository } from './github-data-faults.ts';
import { dueFaults } from './requests.ts';

/** What a due fault changes in a list. */
interface ListChanges {
  isEmpty: boolean;
  repeatsPage: boolean;
  addsField: boolean;
}

const LISTS = /\/(pulls|issues|comments|runs|commits|releases)$/;

const changedLists = new WeakMap<FastifyRequest, ListChanges>();

/** Refuses a request to GitHub, or changes the data before its answer, if a fault is due. @throws GithubError */
export function admitToGithub(github: GithubService, request: FastifyRequest): void {
  const faults = dueFaults(request);
  if (faults.take('token-expired')) throw badCredentials();
  refuseAccess(request);
  refuseByLimit(github, request);
  changeRepository(github, request);
  changeList(github, request);
  failQuery(github, request);
  if (!LISTS.test(request.routeOptions.url ?? '')) return;
  const changes = {
    isEmpty: faults.take('empty-page-with-next') !== undefined,
    repeatsPage: faults.take('page-token-loop') !== undefined,
    addsField: faults.take('unknown-field') !== undefined,
  };
  if (!Object.values(changes).includes(true)) return;
  changedLists.set(request, changes);
  // The changed list is not the one that the client knows.
  delete request.headers['if-none-match'];
}

function refuseAccess(request: FastifyRequest): void {
  const faults = dueFaults(request);
  if (faults.take('insufficient-scope')) {
    const message = 'Resource not accessible by integration';
    throw isQuery(request) ? forbidden(message, false) : new GithubError(403, message);
  }
  if (faults.take('sso-required')) {
    const message =
      'Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization.';
    const headers = { 'x-github-sso': 'required; url=https://github.com/orgs/aurora-labs/sso' };
    throw isQuery(request) ? forbidden(message, true, headers) : new GithubError(403, message, { headers });
  }
  if (faults.take('access-blocked')) {
    throw new GithubError(451, 'Repository access blocked', {
      fields: { block: { reason: 'dmca', created_at: '2026-01-01T00:00:00Z' } },
    });
  }
}

/** Returns whether a request is one to the GraphQL API. */
function isQuery(request: FastifyRequest): boolean {
  return request.routeOptions.url?.endsWith('/graphql') === true;
}

function forbidden(message: string, isBySaml: boolean, headers: Record<string, string> = {}): GraphqlRefusal {
  const extensions = { saml_failure: isBySaml };
  return new GraphqlRefusal(
    { type: 'FORBIDDEN', path: ['repository'], extensions, message },
    { headers, data: { repository: null } },
  );
}

function failQuery(github: GithubService, request: FastifyRequest): void {
  const failing = failingQueries.get(github);
  if (!failing || failing.left === 0 || !isQuery(request)) return;
  failing.left -= 1;
  if (failing.failure === 'rate-limit-code') {
    const message = 'API rate limit already exceeded for user ID 1000000.';
    throw new GraphqlRefusal({ type: 'RATE_LIMIT', code: 'graphql_rate_limit', message });
  }
  const message =
    'Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug. Please include `0A1B:2C3D:4E5F6` when reporting this issue.';
  throw new GraphqlRefusal({ message }, { data: null });
}

function refuseByLimit(github: GithubService, request: FastifyRequest): void {
  const faults = dueFaults(request);
  const caller = github.callerOf(request);
  const usedUp = (resetInSeconds: number, more: Record<string, string> = {}) => {
    const headers = {
      ...more,
      'x-ratelimit-remaining': '0',
      'x-ratelimit-used': '5000',
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000 + resetInSeconds)),
    };
    const visitor = caller === 'bad' ? undefined : caller;
    if (isQuery(request) && visitor) return pointsUsedUp(Number(accountSubject(visitor.account)), headers);
    return primaryLimit(visitor, headers);
  };
  const limited = faults.take('github-primary-limit');
  if (limited) throw usedUp(limited.seconds ?? 2);
  const paced = faults.take('github-primary-limit-retry-after');
  if (paced) throw usedUp(3600, { 'retry-after': String(paced.seconds ?? 1) });
  const past = faults.take('github-reset-in-past');
  if (past) throw usedUp(-(past.seconds ?? 30));
  const secondary = faults.take('github-secondary-limit');
  if (secondary) throw secondaryLimit(403, { seconds: secondary.seconds ?? 1 });
  const secondary429 = faults.take('github-secondary-limit-429');
  if (secondary429) throw secondaryLimit(429, { seconds: secondary429.seconds ?? 1 });
  if (faults.take('github-secondary-limit-bare')) throw secondaryLimit(403, {});
}

/** Adds the faults of GitHub's answers to the routes of its API. */
export function addGithubFaults(scope: FastifyInstance): void {
  scope.addHook('preHandler', async (request) => {
    if (dueFaults(request).take('revoke-fails')) throw new GithubError(503, 'Service unavailable');
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    const changes = changedLists.get(request);
    return changes && reply.statusCode === 200 ? changedList(reply, String(payload), changes) : payload;
  });
}

function changedList(
  reply: FastifyReply,
  text: string,
  { isEmpty, repeatsPage, addsField }: ListChanges,
): string {
  const { page = '1' } = reply.request.query as { page?: string };
  const link = reply.getHeader('link');
  if (repeatsPage && typeof link === 'string')
    reply.header('link', link.replace(/([?&]page=)\d+(>; rel="next")/, `$1${page}$2`));
  const parsed = JSON.parse(text) as object[] | { workflow_runs: object[] };
  const all = Array.isArray(parsed) ? parsed : parsed.workflow_runs;
  const changed = (isEmpty ? [] : all).map((record) =>
    addsField ? { ...record, merge_forecast: { likely: true } } : record,
  );
  const body = JSON.stringify(Array.isArray(parsed) ? changed : { ...parsed, workflow_runs: changed });
  reply.header('etag', `W/"${crc32(body + String(reply.getHeader('link'))).toString(16)}"`);
  return body;
}
