import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The claims of a token. `exp` and `iat` are seconds since 1970. */
export interface TokenClaims {
  kind: 'access' | 'refresh';
  client: string;
  /** The account's permanent id. */
  subject: string;
  scope: string;
  iat: number;
  exp?: number;
  nonce: string;
}

/**
 * Issues and reads tokens without a store: their claims, signed with a key derived from the client's secret. So tokens
 * stay valid after a restart, like those of a real provider, although the sandbox stores nothing on disk.
 */
export class SignedTokens {
  readonly #key: string;
  /** When each account's grant was last revoked, seconds since 1970. */
  readonly #revokedAt = new Map<string, number>();
  readonly #endedTokens = new Set<string>();
  /** Access tokens issued before this time have expired, seconds since 1970. */
  #expiredBefore = 0;

  constructor(secret: string) {
    this.#key = `datadeck-sandbox-token:${secret}`;
  }

  /** Issues a token with the provider's prefix. */
  issue(prefix: string, claims: Omit<TokenClaims, 'nonce' | 'iat'>): string {
    const full: TokenClaims = { ...claims, iat: seconds(), nonce: randomBytes(6).toString('base64url') };
    const body = Buffer.from(JSON.stringify(full)).toString('base64url');
    return `${prefix}${body}_${this.#sign(prefix + body)}`;
  }

  /** Returns the claims of a valid token of this kind; undefined if it is forged, expired or revoked. */
  read(token: string, kind: TokenClaims['kind']): TokenClaims | undefined {
    const claims = this.#open(token);
    if (claims?.kind !== kind || this.#endedTokens.has(claims.nonce)) return undefined;
    if (claims.iat < (this.#revokedAt.get(claims.subject) ?? 0)) return undefined;
    if (claims.exp !== undefined && claims.exp <= Date.now() / 1000) return undefined;
    if (kind === 'access' && claims.iat < this.#expiredBefore) return undefined;
    return claims;
  }

  /**
   * Revokes the grant: every token of the account for this client. Returns false for an invalid token.
   */
  revoke(token: string): boolean {
    const claims = this.read(token, 'access') ?? this.read(token, 'refresh');
    if (claims) this.#revokedAt.set(claims.subject, justNow());
    return claims !== undefined;
  }

  /** Revokes only this token. */
  end(token: string): void {
    const claims = this.#open(token);
    if (claims) this.#endedTokens.add(claims.nonce);
  }

  /** Expires all access tokens issued so far. */
  expireAccessTokens(): void {
    this.#expiredBefore = justNow();
  }

  reset(): void {
    this.#revokedAt.clear();
    this.#endedTokens.clear();
    this.#expiredBefore = 0;
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 22).replaceAll('_', '-');
  }

  #open(token: string): TokenClaims | undefined {
    const cut = token.lastIndexOf('_');
    const start = token.search(/eyJ/);
    if (cut < 0 || start < 0 || cut < start) return undefined;
    const expected = Buffer.from(this.#sign(token.slice(0, cut)));
    const actual = Buffer.from(token.slice(cut + 1));
    if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
    return JSON.parse(Buffer.from(token.slice(start, cut), 'base64url').toString()) as TokenClaims;
  }
}

function seconds(): number {
  return Date.now() / 1000;
}

/** Returns a time after all earlier calls and before all later ones. */
function justNow(): number {
  return seconds() + 0.0005;
}
