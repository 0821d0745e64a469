import type { AdminAccount } from '@datadeck/contract';
import type { Tone } from '../../ui/badge.tsx';

/** Colours of the badges of plans. */
export const PLAN_TONES: Record<AdminAccount['status'], Tone> = {
  demo: 'secondary',
  standard: 'neutral',
  pro: 'success',
};

/** Returns the title of a plan, e.g. `Pro`. */
export function planTitle(plan: AdminAccount['status']): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}

/** Returns what a person types to confirm the deletion of an account: its address, or its id if it has none. */
export function confirmationOf({ email, _id }: Pick<AdminAccount, 'email' | '_id'>): string {
  return email === '' ? _id : email;
}

/** Titles of sign-in methods that do not read as names. */
const METHOD_WORDS: Readonly<Record<string, string>> = {
  'Sign-in link': 'a printed link',
  Passkey: 'a passkey',
};

/** Says how an account signs in, e.g. `Signs in with Google, a passkey`. */
export function methodWords(titles: readonly string[]): string {
  if (titles.length === 0) return 'Has no sign-in method';
  return `Signs in with ${titles.map((title) => METHOD_WORDS[title] ?? title).join(', ')}`;
}
