import { storableInstant } from '../sdk/instant.ts';

/** Longest text that is parsed as a date. */
const MAX_DATE_LENGTH = 200;

/** Returns the time the server received a message, else its Date header, else the start of 1970. */
export function receivedAt(internalDate: Date | string | undefined, header?: string): Date {
  for (const candidate of [internalDate, header]) {
    if (candidate === undefined) continue;
    const text = typeof candidate === 'string' ? candidate.slice(0, MAX_DATE_LENGTH) : candidate;
    const date = storableInstant(new Date(text).getTime());
    if (date) return date;
  }
  return new Date(0);
}
