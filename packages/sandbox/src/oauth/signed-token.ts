import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a token says. `exp` and `iat` are in seconds since 1970. */
export interface TokenClaims {
  kind: 'access' | 'refresh';
  client: string;
  /** The account's lasting id. */
  subject: string;
  scope: string;
  iat: number;
  exp?: number;
  nonce: string;
}

/**
 * Makes and reads tokens that need no store: their claims, signed with a key derived from the client's secret. Tokens
 * handed out before a restart stay good after it, as they would at the real provider; a product's stored connections
 * survive although the sandbox keeps nothing on disk.
 */
export class SignedTokens {
  readonly #key: string;
  /** When each account's grant was last ended (seconds). */
  readonly #revokedAt = new Map<string, number>();
  readonly #endedTokens = new Set<string>();
  /** Access tokens issued before this instant (seconds) count as expired. */
  #expiredBefore = 0;

  constructor(secret: string) {
    this.#key = `datadeck-sandbox-token:${secret}`;
  }

  /** A token with the prefix that the provider's tokens have. */
  issue(prefix: string, claims: Omit<TokenClaims, 'nonce' | 'iat'>): string {
    const full: TokenClaims = { ...claims, iat: seconds(), nonce: randomBytes(6).toString('base64url') };
    const body = Buffer.from(JSON.stringify(full)).toString('base64url');
    return `${prefix}${body}_${this.#sign(prefix + body)}`;
  }

  /** The claims of a good token of this kind; undefined when forged, expired, ended or revoked. */
  read(token: string, kind: TokenClaims['kind']): TokenClaims | undefined {
    const claims = this.#open(token);
    if (claims?.kind !== kind || this.#endedTokens.has(claims.nonce)) return undefined;
    if (claims.iat < (this.#revokedAt.get(claims.subject) ?? 0)) return undefined;
    if (claims.exp !== undefined && claims.exp <= Date.now() / 1000) return undefined;
    if (kind === 'access' && claims.iat < this.#expiredBefore) return undefined;
    return claims;
  }

  /**
   * Ends the grant: every token that the account gave to the client so far, whoever holds it there. False when the token
   * was not good.
   */
  revoke(token: string): boolean {
    const claims = this.read(token, 'access') ?? this.read(token, 'refresh');
    if (claims) this.#revokedAt.set(claims.subject, justNow());
    return claims !== undefined;
  }

  /** Ends this one token. */
  end(token: string): void {
    const claims = this.#open(token);
    if (claims) this.#endedTokens.add(claims.nonce);
  }

  /** Makes every access token issued so far count as expired. */
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

/** Behind every instant so far, before every later one. */
function justNow(): number {
  return seconds() + 0.0005;
}
