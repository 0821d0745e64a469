import { readMailDate } from '../mail/date.ts';
import { storableInstant } from '../sdk/instant.ts';

/** Longest text that is parsed as a date. */
const MAX_DATE_LENGTH = 200;

/** Returns the time the server received a message, else its Date header, else the start of 1970. */
export function receivedAt(internalDate: Date | string | undefined, header?: string): Date {
  const received =
    typeof internalDate === 'string' ? internalDate.slice(0, MAX_DATE_LENGTH) : (internalDate ?? Number.NaN);
  return storableInstant(new Date(received).getTime()) ?? readMailDate(header) ?? new Date(0);
}
