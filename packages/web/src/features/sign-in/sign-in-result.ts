import type { SignInResult } from '@datadeck/contract';
import { membersOf } from '../../api/hand-schema.ts';

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);

/** Reads the query parameter `res`, the result of the external sign-in; null when it is absent. */
export function readSignInResult(search: string): SignInResult | null {
  const text = new URLSearchParams(search).get('res');
  if (text === null) return null;
  try {
    const { token, error } = membersOf(JSON.parse(text));
    return { token: textOrNull(token), error: textOrNull(error) };
  } catch {
    return { token: null, error: 'malformed' };
  }
}
