import { type SignInResult, signInResultSchema } from '@datadeck/contract';

/** Reads the query parameter `res` with which the external sign-in returns; null when there is none. */
export function readSignInResult(search: string): SignInResult | null {
  const text = new URLSearchParams(search).get('res');
  if (text === null) return null;
  try {
    return signInResultSchema.parse(JSON.parse(text));
  } catch {
    return { error: 'malformed' };
  }
}
