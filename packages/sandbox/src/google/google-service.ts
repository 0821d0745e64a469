import { ExpiringMap } from '../oauth/expiring-map.ts';
import type { CodeChallenge } from '../oauth/pkce.ts';
import { SignedTokens } from '../oauth/signed-token.ts';
import { SigningKeys } from '../oauth/signing-keys.ts';
import type { SandboxContext } from '../requests/sandbox-context.ts';
import type { GoogleAccounts } from './google-account.ts';

/** A valid authorisation request. */
export interface AuthorizationRequest {
  redirectUri: string;
  state: string | undefined;
  scopes: string[];
  nonce: string | undefined;
  challenge: CodeChallenge | undefined;
  offline: boolean;
  prompt: string[];
  includeGranted: boolean;
  loginHint: string | undefined;
}

/** An authorisation request that the user has not completed yet. */
export interface Interaction {
  request: AuthorizationRequest;
  /** Set when the user has selected an account on the first page. */
  subject?: string;
}

/** The data of an authorisation code. */
export interface CodeGrant {
  request: AuthorizationRequest;
  subject: string;
  scopes: string[];
  /** Whether the response includes a refresh token. */
  offline: boolean;
}

/**
 * The state of the simulated OpenID provider of Google.
 *
 * It uses node:crypto instead of the package `oidc-provider`: the sandbox is mounted inside the product, whose start time
 * and idle memory are limited. That package also behaves differently from Google (granular scopes, access_type,
 * `prompt=consent`). Tests verify it with `openid-client`.
 */
export class GoogleService {
  readonly context: SandboxContext;
  readonly accounts: GoogleAccounts;
  readonly keys = new SigningKeys();
  readonly tokens: SignedTokens;
  readonly interactions = new ExpiringMap<Interaction>(30 * 60_000);
  readonly codes = new ExpiringMap<CodeGrant>(10 * 60_000);
  /** Codes that were already exchanged, to distinguish reuse from invalid codes. */
  readonly usedCodes = new Set<string>();
  readonly #granted = new Map<string, Set<string>>();
  /** Lifetime of an access token, seconds. */
  accessTokenSeconds = 3599;
  /** Whether every refresh revokes the refresh token and returns a new one. */
  rotatesRefreshTokens = false;

  constructor(context: SandboxContext, accounts: GoogleAccounts) {
    this.context = context;
    this.accounts = accounts;
    this.tokens = new SignedTokens(context.settings.clients.google.secret);
  }

  get issuer(): string {
    return `${this.context.settings.base()}/google`;
  }

  /** Returns the scopes that the account has granted so far. */
  grantedScopes(subject: string): ReadonlySet<string> {
    return this.#granted.get(subject) ?? new Set();
  }

  remember(subject: string, scopes: readonly string[]): void {
    this.#granted.set(subject, new Set([...this.grantedScopes(subject), ...scopes]));
  }

  /** Removes the grants of an account, as revoking does. */
  forget(subject: string): void {
    this.#granted.delete(subject);
  }

  reset(): void {
    this.tokens.reset();
    this.interactions.clear();
    this.codes.clear();
    this.usedCodes.clear();
    this.#granted.clear();
    this.accessTokenSeconds = 3599;
    this.rotatesRefreshTokens = false;
  }
}
