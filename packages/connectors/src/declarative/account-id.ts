import { displayText } from '../sdk/index.ts';

/** Longest id that is stored by its hash, e.g. the address of a feed. */
const MAX_ID = 2000;

/** Returns whether a text can be the id of an account as it is: not empty, of one line, at most 2000 characters, none invisible. */
export function isAccountId(text: string): boolean {
  return text !== '' && displayText(text, MAX_ID) === text;
}
