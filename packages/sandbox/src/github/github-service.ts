import type { FastifyRequest } from 'fastify';
import { ExpiringMap } from '../oauth/expiring-map.ts';
import type { CodeChallenge } from '../oauth/pkce.ts';
import { SignedTokens } from '../oauth/signed-token.ts';
import { tokenFrom } from '../requests/call.ts';
import type { SandboxContext } from '../requests/sandbox-context.ts';
import { accountSubject, type GithubAccount } from './github-account.ts';
import { type GithubQuota, githubQuota } from './github-quota.ts';
import { type GithubLinks, linksUnder } from './links.ts';
import { PERMISSIONS, type Permission } from './permissions.ts';
import { type PersonalTokenGrant, PersonalTokens, permissionsOf } from './personal-tokens.ts';
import type { PullRepository } from './pull-repository.ts';
import { Repositories } from './repositories.ts';

const ALL: ReadonlySet<Permission> = new Set(PERMISSIONS);

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
  kind: 'oauth' | PersonalTokenGrant['kind'];
  /** Scopes of OAuth and classic tokens. */
  scopes: readonly string[];
  /** Whether it sees the private repositories of the account. */
  seesPrivate: boolean;
  /** What it may read in private repositories. */
  permissions: ReadonlySet<Permission>;
  /** When a personal token expires, seconds since 1970; 0 if it does not. */
  expiresAt: number;
}

/** The state of the simulated GitHub. */
export class GithubService {
  readonly context: SandboxContext;
  readonly accounts: readonly GithubAccount[];
  readonly tokens: SignedTokens;
  readonly personalTokens: PersonalTokens;
  readonly quota: GithubQuota;
  readonly interactions = new ExpiringMap<GithubAuthorization>(30 * 60_000);
  readonly codes = new ExpiringMap<GithubCode>(10 * 60_000);
  /** Whether tokens are those of a GitHub App: they expire after eight hours and have a rotating refresh token. */
  issuesExpiringTokens = false;
  readonly #fill: () => PullRepository[];
  #repositories: Repositories | undefined;

  constructor(context: SandboxContext, accounts: readonly GithubAccount[], fill: () => PullRepository[]) {
    this.context = context;
    this.accounts = accounts;
    this.tokens = new SignedTokens(context.settings.clients.github.secret);
    this.personalTokens = new PersonalTokens(context.settings.clients.github.secret);
    this.quota = githubQuota(context.settings);
    this.#fill = fill;
  }

  /** The repositories; created on first use. */
  get repositories(): Repositories {
    this.#repositories ??= new Repositories(this.#fill());
    return this.#repositories;
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
    if (token === undefined) return 'bad';
    return this.#personalCaller(token) ?? this.#oauthCaller(token) ?? 'bad';
  }

  #oauthCaller(token: string): GithubCaller | undefined {
    const claims = this.tokens.read(token, 'access');
    const account = claims && this.accountOf(claims.subject);
    if (!claims || !account) return undefined;
    const scopes = claims.scope.split(',').filter((scope) => scope !== '');
    return {
      account,
      kind: 'oauth',
      scopes,
      seesPrivate: scopes.includes('repo'),
      permissions: ALL,
      expiresAt: 0,
    };
  }

  #personalCaller(token: string): GithubCaller | undefined {
    const grant = this.personalTokens.read(token);
    const account = grant && this.accounts[grant.account];
    if (!grant || !account) return undefined;
    const { kind, privateRepositories: seesPrivate, expiresAt } = grant;
    const isClassic = kind === 'classic';
    const scopes = isClassic && seesPrivate ? ['repo'] : [];
    const permissions = isClassic ? ALL : new Set(permissionsOf(grant));
    return { account, kind, scopes, seesPrivate, permissions, expiresAt };
  }

  reset(): void {
    this.tokens.reset();
    this.personalTokens.reset();
    this.quota.requests.reset();
    this.quota.graphql.reset();
    this.quota.points.reset();
    this.quota.gate.reset();
    this.interactions.clear();
    this.codes.clear();
    this.issuesExpiringTokens = false;
    this.#repositories = undefined;
  }
}
