import { z } from 'zod';
import {
  clampToOneDay,
  type FailedAnswer,
  type RefusedAnswer,
  retryAfterOf,
  storable,
} from '../../sdk/index.ts';

const bodySchema = z.object({ message: z.string() }).catch({ message: '' });

/** Timestamps below this are seconds (until the year 5138), larger ones milliseconds. */
const SECONDS = 1e11;

/** Returns when to retry: Retry-After, else the reset of a used-up limit (at least 1 s from now), else in a minute. */
function retryTime(headers: Headers, now: number): Date {
  const retryAfter = retryAfterOf(headers, now);
  if (retryAfter !== undefined && retryAfter > now) return new Date(retryAfter);
  const reset = Number(headers.get('x-ratelimit-reset'));
  if (headers.get('x-ratelimit-remaining') === '0' && reset > 0) {
    const serverNow = Date.parse(headers.get('date') ?? '') || now;
    const resetAt = reset < SECONDS ? reset * 1000 : reset;
    return new Date(clampToOneDay(now + Math.max(1000, resetAt - serverNow), now) ?? now + 60_000);
  }
  return new Date(now + 60_000);
}

/** Longest part of GitHub's message that a user is shown. */
const MAX_MESSAGE = 300;

/** Returns the error message of a body; undefined when it cannot be parsed. */
function parseBody(text: string): string | undefined {
  try {
    return bodySchema.parse(JSON.parse(text)).message;
  } catch {
    return undefined;
  }
}

/** Returns whether a response says that a rate limit is used up. */
function isRateLimit({ status, headers }: RefusedAnswer, message = ''): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0';
  return headers.has('retry-after') || isUsedUp || /rate limit|abuse/i.test(message);
}

/** Message of the failure when commits of a repository without any are requested. */
export const EMPTY_REPOSITORY = 'The repository has no commits yet.';

/** Message of the failure when issues of a repository without them are requested. */
export const ISSUES_OFF = 'Issues are switched off in this repository.';

const PERMISSIONS: Readonly<Record<string, string>> = {
  'pull_requests=read': 'Pull requests: read-only',
  'issues=read': 'Issues: read-only',
  'actions=read': 'Actions: read-only',
  'contents=read': 'Contents: read-only',
  'metadata=read': 'Metadata: read-only',
};

/**
 * Names the permissions of GitHub's header, e.g. `issues=read; pull_requests=read`: any part before a semicolon is enough. Without
 * it, the one that pull requests and reviews need.
 */
function permissionsIn(header: string | null): string {
  const choices = (header ?? '').split(';').flatMap((choice) => {
    const known = choice.split(',').flatMap((permission) => PERMISSIONS[permission.trim()] ?? []);
    return known.length > 0 ? [known.map((name) => `“${name}”`).join(' and ')] : [];
  });
  return choices.length > 0 ? choices.join(' or ') : '“Pull requests: read-only”';
}

/** Returns how to allow a private repository, by the kind of token that GitHub saw; empty if it is allowed. */
function privateAdvice(headers: Headers): string {
  // Only answers to OAuth and classic tokens have this header.
  const scopes = headers.get('x-oauth-scopes');
  if (scopes === null)
    return ' If it is private, select it in the settings of your token or GitHub App on GitHub.';
  if (scopes.split(/[\s,]+/).includes('repo')) return '';
  return ' If it is private, connect GitHub again with “Also private repositories”, or use a token that may read it.';
}

/** Classifies a 403 that is no rate limit. */
function classifyForbidden(headers: Headers, message: string | undefined): FailedAnswer {
  const requiresSso = headers.has('x-github-sso');
  // A 403 without a readable reason may be a rate limit.
  if (message === undefined && !requiresSso)
    return { kind: 'retry', message: 'GitHub refused the request without a reason. Try again later.' };
  // The header names the permissions that a fine-grained token or a GitHub App needs.
  if (!requiresSso && /not accessible by personal access token/i.test(message ?? '')) {
    const needed = permissionsIn(headers.get('x-accepted-github-permissions'));
    return {
      kind: 'fail',
      failure: 'forbidden',
      message: `The GitHub token may not read this repository. Give it the repository permission ${needed} for this repository on GitHub, then try again.`,
    };
  }
  if (/forbids access via/i.test(message ?? ''))
    return {
      kind: 'fail',
      failure: 'forbidden',
      message:
        'The organization of this repository does not accept this kind of token, or not its lifetime. Connect GitHub with a token that its rules allow.',
    };
  const because =
    requiresSso || /SAML|SSO/i.test(message ?? '')
      ? ' Its organization requires single sign-on: allow this app there, then start the sync again.'
      : ' Allow it for this app on GitHub, then start the sync again.';
  return {
    kind: 'fail',
    failure: 'forbidden',
    message: `GitHub does not allow access to this repository.${because}`,
  };
}

/** Classifies GitHub's errors (docs.github.com: rate limits, best practices, status codes). */
export function classifyGithub(answer: RefusedAnswer): FailedAnswer {
  const { status, headers, now } = answer;
  const message = parseBody(answer.body);
  if (isRateLimit(answer, message))
    return {
      kind: 'retry-later',
      until: retryTime(headers, now),
      message: 'GitHub asks to wait: its rate limit is used up.',
      isOverloaded: /secondary|abuse/i.test(message ?? ''),
    };
  if (status === 401)
    return {
      kind: 'expired-token',
      message: 'GitHub no longer accepts the access it granted. Connect GitHub again.',
    };
  if (status === 403) return classifyForbidden(headers, message);
  if (status === 409 && /repository is empty/i.test(message ?? ''))
    return { kind: 'fail', failure: 'not-found', message: EMPTY_REPOSITORY };
  if (status === 410 && /disabled/i.test(message ?? ''))
    return { kind: 'fail', failure: 'not-found', message: ISSUES_OFF };
  if (status === 404 || status === 410) {
    return {
      kind: 'fail',
      failure: 'not-found',
      message: `The repository does not exist, or the connected account cannot see it. Check owner and name.${privateAdvice(headers)}`,
    };
  }
  if (status === 451)
    return {
      kind: 'fail',
      failure: 'forbidden',
      message: 'GitHub has blocked this repository for legal reasons.',
    };
  if (status >= 500 || status === 408)
    return { kind: 'retry', message: `GitHub is failing (status ${status}). Try again later.` };
  return {
    kind: 'fail',
    failure: 'invalid',
    message: `GitHub refused the request (status ${status}${message ? `: ${storable(message.slice(0, MAX_MESSAGE))}` : ''}).`,
  };
}
