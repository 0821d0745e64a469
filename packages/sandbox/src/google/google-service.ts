import type { SandboxContext } from '../carrier/sandbox-context.ts';
import { ExpiringMap } from '../oauth/expiring-map.ts';
import type { CodeChallenge } from '../oauth/pkce.ts';
import { SignedTokens } from '../oauth/signed-token.ts';
import type { GoogleAccounts } from './google-account.ts';
import { SigningKeys } from './signing-keys.ts';

/** An authorisation request that passed its checks. */
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

/** A request on its way through the pages. */
export interface Interaction {
  request: AuthorizationRequest;
  /** Chosen on the first page. */
  subject?: string;
}

/** What an authorisation code stands for. */
export interface CodeGrant {
  request: AuthorizationRequest;
  subject: string;
  scopes: string[];
  /** Whether a refresh token goes with it. */
  offline: boolean;
}

/**
 * The state of the stand-in for Google's OpenID provider.
 *
 * It is our own code on node:crypto and not the package `oidc-provider`: the sandbox is mounted inside the product,
 * whose start and idle memory are bounded; that package brings koa, jose and a session store, decides how consent and
 * refresh tokens behave (not as Google does: granular scopes, access_type, `prompt=consent`), and cannot be made to
 * answer wrongly, which the fault list needs. That it speaks the protocol is proved against `openid-client`.
 */
export class GoogleService {
  readonly context: SandboxContext;
  readonly accounts: GoogleAccounts;
  readonly keys = new SigningKeys();
  readonly tokens: SignedTokens;
  readonly interactions = new ExpiringMap<Interaction>(30 * 60_000);
  readonly codes = new ExpiringMap<CodeGrant>(10 * 60_000);
  /** Codes already exchanged, to tell reuse from nonsense. */
  readonly usedCodes = new Set<string>();
  readonly #granted = new Map<string, Set<string>>();
  /** Seconds that an access token lives. */
  accessTokenSeconds = 3599;
  /** Whether every refresh ends the refresh token and answers a new one. */
  rotatesRefreshTokens = false;

  constructor(context: SandboxContext, accounts: GoogleAccounts) {
    this.context = context;
    this.accounts = accounts;
    this.tokens = new SignedTokens(context.settings.clients.google.secret);
  }

  get issuer(): string {
    return `${this.context.settings.base()}/google`;
  }

  /** The scopes that the account has granted so far. */
  grantedScopes(subject: string): ReadonlySet<string> {
    return this.#granted.get(subject) ?? new Set();
  }

  remember(subject: string, scopes: readonly string[]): void {
    this.#granted.set(subject, new Set([...this.grantedScopes(subject), ...scopes]));
  }

  /** Forgets what the account has granted, as after revoking. */
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
