import type { ConnectField, ConnectForm } from '@datadeck/contract';
import {
  type Credentials,
  type FormAuthorization,
  type Grant,
  ProviderError,
  type RefusedAnswer,
} from '../sdk/index.ts';
import { classifyGithub } from './api/classify.ts';
import { fetchUser, getFromGithub, identityOf } from './user.ts';

/** Prefix of fine-grained tokens; other tokens are classic ones. */
const FINE_GRAINED = 'github_pat_';

const text = {
  type: 'text',
  required: true,
  defaultValue: '',
  pattern: '',
  placeholder: '',
  errorText: '',
  tip: '',
  options: [],
} satisfies Partial<ConnectField>;

const FIELDS: readonly ConnectField[] = [
  {
    ...text,
    name: 'token',
    label: 'Personal access token',
    type: 'token',
    // Classic tokens from before April 2021 are 40 hexadecimal digits.
    pattern: '(?:github_pat_|ghp_)[A-Za-z0-9_]{20,240}|[0-9a-f]{40}',
    placeholder: 'github_pat_…',
    errorText: 'A token begins with github_pat_ or ghp_ and has no spaces. Copy all of it.',
    tip: 'Stored encrypted, and used only to read.',
  },
  {
    ...text,
    name: 'repository',
    label: 'Repository to check (optional)',
    required: false,
    pattern: '[A-Za-z0-9._\\-]{1,100}/[A-Za-z0-9._\\-]{1,100}',
    placeholder: 'owner/name',
    errorText: 'Please enter owner/name',
    tip: 'Checks now whether the token may read the pull requests of this repository.',
  },
];

function formFor(githubUrl: string): ConnectForm {
  const settings = `${githubUrl}/settings`;
  return {
    action: 'Use a token',
    replaceAction: 'Replace token',
    intro: [
      'Create a fine-grained token for the repositories that you want to synchronize. It needs “Metadata: read-only” and the repository permissions of what you synchronize: “Pull requests: read-only” for pull requests, reviews and comments on lines, “Issues: read-only” for issues and comments, “Actions: read-only” for workflow runs, “Contents: read-only” for commits and releases.',
      'A classic token works, too: without a scope for public repositories, with the scope “repo” for private ones.',
    ],
    links: [
      { label: 'Create a fine-grained token', url: `${settings}/personal-access-tokens/new` },
      { label: 'Create a classic token', url: `${settings}/tokens/new` },
    ],
    presetLabel: '',
    presets: [],
    fields: [...FIELDS],
    leftBehind: {
      text: 'Datadeck deleted its copy of the token. GitHub accepts the token until you delete it there.',
      link: { label: 'Your tokens on GitHub', url: `${settings}/personal-access-tokens` },
    },
  };
}

/** Converts an unsuccessful answer to an error of a field of the form. */
function refusalAt(field: string): (answer: RefusedAnswer) => ProviderError {
  return (answer) => {
    const failed = classifyGithub(answer);
    switch (failed.kind) {
      case 'expired-token': {
        const message =
          'GitHub does not accept this token. Check that you copied all of it, and that it has not expired.';
        return new ProviderError('reauthorise', message, { field: 'token' });
      }
      case 'fail':
        return new ProviderError(failed.failure, failed.message, { field });
      case 'retry-later':
        return new ProviderError('rate-limited', failed.message, {
          ...(failed.until && { until: failed.until }),
        });
      case 'retry':
        return new ProviderError('unavailable', failed.message);
    }
  };
}

/** Parses GitHub's time of expiry, e.g. `2026-12-01 08:00:00 UTC` or `2026-12-01 08:00:00 +0200`; ms since 1970. */
export function parseTokenExpiry(header: string | null): number | undefined {
  const [, day, time, zone] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (UTC|[+-]\d{4})$/.exec(header ?? '') ?? [];
  if (day === undefined) return undefined;
  const expiry = Date.parse(`${day}T${time}${zone === 'UTC' ? 'Z' : zone?.replace(/(\d\d)$/, ':$1')}`);
  return Number.isNaN(expiry) ? undefined : expiry;
}

function scopesOf(headers: Headers): string[] {
  return (headers.get('x-oauth-scopes') ?? '').split(/[\s,]+/).filter(Boolean);
}

/** Connection with a personal access token, fine-grained or classic, on github.com or an Enterprise server. */
export class GithubTokenAuthorization implements FormAuthorization {
  readonly form: ConnectForm;
  readonly #githubUrl: string;
  readonly #apiUrl: string;

  constructor({ githubUrl, apiUrl }: { githubUrl: string; apiUrl: string }) {
    this.form = formFor(githubUrl);
    this.#githubUrl = githubUrl;
    this.#apiUrl = apiUrl;
  }

  async connect({ token = '', repository = '' }: Readonly<Record<string, string>>): Promise<Grant> {
    const { user, headers } = await fetchUser(this.#apiUrl, token, refusalAt('token'));
    if (repository !== '') await this.#checkRepository(token, repository);
    const expiresAt = parseTokenExpiry(headers.get('github-authentication-token-expiration'));
    return {
      identity: identityOf(user, this.#githubUrl),
      credentials: {
        accessToken: token,
        scopes: scopesOf(headers),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      },
    };
  }

  async refresh(): Promise<never> {
    throw new ProviderError(
      'reauthorise',
      'GitHub no longer accepts the token: it has expired or was deleted. Connect GitHub with a new one.',
    );
  }

  async revoke(): Promise<void> {
    // Only its owner can delete a token, on GitHub.
  }

  describe({ accessToken, scopes }: Credentials): string {
    if (accessToken.startsWith(FINE_GRAINED)) return 'Repositories of a fine-grained token';
    return scopes.includes('repo')
      ? 'Public and private repositories of a classic token'
      : 'Public repositories of a classic token';
  }

  /** Checks that the token may list the pull requests of a repository, e.g. `octocat/hello`. @throws ProviderError */
  async #checkRepository(token: string, repository: string): Promise<void> {
    const path = repository.split('/').map(encodeURIComponent).join('/');
    const response = await getFromGithub(`${this.#apiUrl}/repos/${path}/pulls?per_page=1`, token);
    if (response.ok) return void (await response.body?.cancel());
    const { status, headers } = response;
    throw refusalAt('repository')({ status, headers, body: await response.text(), now: Date.now() });
  }
}
