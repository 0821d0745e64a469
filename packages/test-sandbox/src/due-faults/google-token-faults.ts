import { accessTokenHash, type GoogleService, type TokenAnswer } from '@datadeck/sandbox/parts';
import type { DueFaults } from '../faults/fault-injector.ts';

interface Claims extends Record<string, unknown> {
  iat: number;
}

const CLAIM_FAULTS = [
  ['id-token-expired', ({ iat }: Claims) => ({ iat: iat - 7200, exp: iat - 3600 })],
  ['id-token-wrong-audience', () => ({ aud: 'another-client', azp: 'another-client' })],
  ['id-token-wrong-nonce', () => ({ nonce: 'another-nonce' })],
  ['id-token-wrong-issuer', () => ({ iss: 'https://issuer.example' })],
] as const;

/** Returns whether a payload is a successful answer of a token endpoint. */
export function isTokenAnswer(payload: unknown): payload is TokenAnswer {
  return typeof payload === 'object' && payload !== null && 'access_token' in payload;
}

/** Returns the answer of the token endpoint, changed if a fault is due. */
export async function oddTokens(
  google: GoogleService,
  answer: TokenAnswer,
  faults: DueFaults,
): Promise<TokenAnswer> {
  const isShort = shorten(google, answer, faults);
  const rotated = answer.id_token !== undefined && faults.take('key-rotated') !== undefined;
  if (rotated) await google.keys.rotate();
  if (answer.id_token === undefined) return answer;
  const claims = claimsOf(answer.id_token);
  const changes = CLAIM_FAULTS.map(([name, change]) => (faults.take(name) ? change(claims) : {}));
  const isForged = faults.take('id-token-wrong-signature') !== undefined;
  const isChanged =
    isShort || rotated || isForged || changes.some((change) => Object.keys(change).length > 0);
  if (!isChanged) return answer;
  Object.assign(claims, { at_hash: accessTokenHash(answer.access_token) }, ...changes);
  const token = await google.keys.sign(claims);
  return { ...answer, id_token: isForged ? await forged(google, token, claims) : token };
}

/** Issues another access token, which expires soon, if a fault is due. */
function shorten(google: GoogleService, answer: TokenAnswer, faults: DueFaults): boolean {
  const claims = google.tokens.read(answer.access_token, 'access');
  const short = claims && faults.take('short-token-lifetime');
  if (!short) return false;
  answer.expires_in = short.seconds ?? 1;
  const exp = Date.now() / 1000 + answer.expires_in;
  answer.access_token = google.tokens.issue('ya29.a0', { ...claims, exp });
  return true;
}

function claimsOf(token: string): Claims {
  const [, payload = ''] = token.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
}

/** Returns the token with the signature of other claims. */
async function forged(google: GoogleService, token: string, claims: Claims): Promise<string> {
  const other = await google.keys.sign({ ...claims, iat: claims.iat + 1 });
  return token.slice(0, token.lastIndexOf('.')) + other.slice(other.lastIndexOf('.'));
}
