import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Permission } from './permissions.ts';

/** What a personal access token of a sample account allows. */
export interface PersonalTokenGrant {
  /** Position of the account in the sandbox's list. */
  account: number;
  kind: 'fine-grained' | 'classic';
  /** Fine-grained: all repositories of the account, private ones too. Classic: the scope `repo`. */
  privateRepositories: boolean;
  /** Fine-grained: the permissions to read. That for metadata is always there. */
  pullRequests: boolean;
  issues: boolean;
  actions: boolean;
  contents: boolean;
  /** Seconds since 1970; 0 for a token that does not expire. */
  expiresAt: number;
}

const PRIVATE = 1;
/** Bits of the permissions. */
const BITS = { pullRequests: 2, issues: 4, actions: 8, contents: 16 } as const;

type Granted = keyof typeof BITS;

const GRANTED = Object.keys(BITS) as Granted[];
/** Bytes of the claims, as GitHub's 22 characters after `github_pat_`. */
const CLAIMS_BYTES = 11;
const FORMATS = {
  'fine-grained': { prefix: 'github_pat_', separator: '_', signature: 59 },
  classic: { prefix: 'ghp_', separator: '', signature: 14 },
} as const;

/** Returns the permissions of a fine-grained token. */
export function permissionsOf(grant: PersonalTokenGrant): Permission[] {
  return GRANTED.filter((each) => grant[each]).map((each) =>
    each === 'pullRequests' ? 'pull_requests' : each,
  );
}

/**
 * Issues and reads personal access tokens in GitHub's formats without a store: hexadecimal claims and their signature. So
 * tokens stay valid after a restart, although the sandbox stores nothing on disk.
 */
export class PersonalTokens {
  readonly #key: string;
  readonly #deleted = new Set<string>();

  constructor(secret: string) {
    this.#key = `datadeck-sandbox-personal-token:${secret}`;
  }

  issue({ account, kind, privateRepositories, expiresAt, ...granted }: PersonalTokenGrant): string {
    const claims = Buffer.concat([Buffer.alloc(6), randomBytes(CLAIMS_BYTES - 6)]);
    claims.writeUInt8(account, 0);
    const flags = GRANTED.reduce(
      (sum, each) => sum | (granted[each] ? BITS[each] : 0),
      privateRepositories ? PRIVATE : 0,
    );
    claims.writeUInt8(flags, 1);
    claims.writeUInt32BE(Math.round(expiresAt), 2);
    return this.#format(kind, claims.toString('hex'));
  }

  /** Returns what a token allows; undefined if it is forged, expired or deleted. */
  read(token: string): PersonalTokenGrant | undefined {
    const kind = token.startsWith(FORMATS['fine-grained'].prefix) ? 'fine-grained' : 'classic';
    const { prefix } = FORMATS[kind];
    const hex = token.slice(prefix.length, prefix.length + 2 * CLAIMS_BYTES);
    if (!/^[0-9a-f]{22}$/.test(hex) || this.#deleted.has(token)) return undefined;
    const expected = Buffer.from(this.#format(kind, hex));
    const actual = Buffer.from(token);
    if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
    const claims = Buffer.from(hex, 'hex');
    const flags = claims.readUInt8(1);
    const expiresAt = claims.readUInt32BE(2);
    if (expiresAt !== 0 && expiresAt <= Date.now() / 1000) return undefined;
    return {
      account: claims.readUInt8(0),
      kind,
      privateRepositories: (flags & PRIVATE) !== 0,
      pullRequests: (flags & BITS.pullRequests) !== 0,
      issues: (flags & BITS.issues) !== 0,
      actions: (flags & BITS.actions) !== 0,
      contents: (flags & BITS.contents) !== 0,
      expiresAt,
    };
  }

  delete(token: string): void {
    this.#deleted.add(token);
  }

  reset(): void {
    this.#deleted.clear();
  }

  #format(kind: PersonalTokenGrant['kind'], hex: string): string {
    const { prefix, separator, signature } = FORMATS[kind];
    const signed = createHmac('sha256', this.#key).update(`${kind} ${hex}`).digest('hex');
    return `${prefix}${hex}${separator}${signed.slice(0, signature)}`;
  }
}
