import type { FastifyRequest } from 'fastify';
import { tokenFrom } from '../carrier/call.ts';
import type { SandboxContext } from '../carrier/sandbox-context.ts';
import { ExpiringMap } from '../oauth/expiring-map.ts';
import type { CodeChallenge } from '../oauth/pkce.ts';
import { SignedTokens } from '../oauth/signed-token.ts';
import { accountSubject, type GithubAccount } from './github-account.ts';
import { type GithubQuota, githubQuota } from './github-quota.ts';
import { type GithubLinks, linksUnder } from './links.ts';
import type { PullRepository } from './pull-repository.ts';
import { RepositoryShelf } from './repository-shelf.ts';

/** An authorisation request that the user has not confirmed yet. */
export interface GithubAuthorization {
  redirectUri: string;
  state: string | undefined;
  scopes: string[];
  challenge: CodeChallenge | undefined;
}

/** The data of an authorisation code. */
export interface GithubCode {
  authorization: GithubAuthorization;
  subject: string;
}

/** The account of a token and its permissions. */
export interface GithubCaller {
  account: GithubAccount;
  scopes: readonly string[];
}

/** The state of the simulated GitHub. */
export class GithubService {
  readonly context: SandboxContext;
  readonly accounts: readonly GithubAccount[];
  readonly tokens: SignedTokens;
  readonly quota: GithubQuota;
  readonly interactions = new ExpiringMap<GithubAuthorization>(30 * 60_000);
  readonly codes = new ExpiringMap<GithubCode>(10 * 60_000);
  /** Whether tokens are those of a GitHub App: they expire after eight hours and have a rotating refresh token. */
  issuesExpiringTokens = false;
  readonly #fill: () => PullRepository[];
  #shelf: RepositoryShelf | undefined;

  constructor(context: SandboxContext, accounts: readonly GithubAccount[], fill: () => PullRepository[]) {
    this.context = context;
    this.accounts = accounts;
    this.tokens = new SignedTokens(context.settings.clients.github.secret);
    this.quota = githubQuota(context.settings);
    this.#fill = fill;
  }

  /** The repositories; created on first use. */
  get repositories(): RepositoryShelf {
    this.#shelf ??= new RepositoryShelf(this.#fill());
    return this.#shelf;
  }

  get links(): GithubLinks {
    return linksUnder(this.context.settings.base());
  }

  accountOf(subject: string): GithubAccount | undefined {
    return this.accounts.find((account) => accountSubject(account) === subject);
  }

  /** Returns the caller of a request: undefined without a token, 'bad' with an invalid one. */
  callerOf(request: FastifyRequest): GithubCaller | 'bad' | undefined {
    if (request.headers.authorization === undefined) return undefined;
    const token = tokenFrom(request, ['bearer', 'token']);
    const claims = token === undefined ? undefined : this.tokens.read(token, 'access');
    const account = claims && this.accountOf(claims.subject);
    return claims && account
      ? { account, scopes: claims.scope.split(',').filter((scope) => scope !== '') }
      : 'bad';
  }

  reset(): void {
    this.tokens.reset();
    this.quota.requests.reset();
    this.quota.points.reset();
    this.quota.gate.reset();
    this.interactions.clear();
    this.codes.clear();
    this.issuesExpiringTokens = false;
    this.#shelf = undefined;
  }
}
