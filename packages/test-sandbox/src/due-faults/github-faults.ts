import { crc32 } from 'node:zlib';
import {
  badCredentials,
  GithubError,
  type GithubService,
  primaryLimit,
  secondaryLimit,
} from '@datadeck/sandbox/parts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { changePulls, changeRepository } from './github-data-faults.ts';
import { dueFaults } from './requests.ts';

/** What a due fault changes in a list of pull requests. */
interface ListChanges {
  isEmpty: boolean;
  repeatsPage: boolean;
  addsField: boolean;
}

const changedLists = new WeakMap<FastifyRequest, ListChanges>();

/** Refuses a request to GitHub, or changes the data before its answer, if a fault is due. @throws GithubError */
export function admitToGithub(github: GithubService, request: FastifyRequest): void {
  const faults = dueFaults(request);
  if (faults.take('token-expired')) throw badCredentials();
  refuseAccess(request);
  refuseByLimit(github, request);
  changeRepository(github, request);
  changePulls(github, request);
  if (!request.routeOptions.url?.endsWith('/pulls')) return;
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
  if (faults.take('insufficient-scope')) throw new GithubError(403, 'Resource not accessible by integration');
  if (faults.take('sso-required')) {
    const message =
      'Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization.';
    throw new GithubError(403, message, {
      headers: { 'x-github-sso': 'required; url=https://github.com/orgs/aurora-labs/sso' },
    });
  }
  if (faults.take('access-blocked')) {
    throw new GithubError(451, 'Repository access blocked', {
      fields: { block: { reason: 'dmca', created_at: '2026-01-01T00:00:00Z' } },
    });
  }
}

function refuseByLimit(github: GithubService, request: FastifyRequest): void {
  const faults = dueFaults(request);
  const caller = github.callerOf(request);
  const usedUp = (resetInSeconds: number, headers: Record<string, string> = {}) =>
    primaryLimit(caller === 'bad' ? undefined : caller, {
      ...headers,
      'x-ratelimit-remaining': '0',
      'x-ratelimit-used': '5000',
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000 + resetInSeconds)),
    });
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
  const pulls = isEmpty ? [] : (JSON.parse(text) as object[]);
  const body = JSON.stringify(
    addsField ? pulls.map((pull) => ({ ...pull, merge_forecast: { likely: true } })) : pulls,
  );
  reply.header('etag', `W/"${crc32(body + String(reply.getHeader('link'))).toString(16)}"`);
  return body;
}
