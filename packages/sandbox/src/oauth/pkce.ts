import { createHash } from 'node:crypto';

/** The challenge of an authorisation request (RFC 7636). */
export interface CodeChallenge {
  method: 'S256' | 'plain';
  value: string;
}

/** Reads the challenge of a request: undefined if there is none, 'invalid' if it is unusable. */
export function readChallenge(query: URLSearchParams): CodeChallenge | 'invalid' | undefined {
  const value = query.get('code_challenge');
  if (value === null) return undefined;
  const method = query.get('code_challenge_method') ?? 'plain';
  if (method !== 'S256' && method !== 'plain') return 'invalid';
  return /^[A-Za-z0-9._~-]{43,128}$/.test(value) ? { method, value } : 'invalid';
}

/** Returns whether the verifier matches the challenge. */
export function fitsChallenge(challenge: CodeChallenge, verifier: string): boolean {
  if (challenge.method === 'plain') return challenge.value === verifier;
  return createHash('sha256').update(verifier).digest('base64url') === challenge.value;
}
