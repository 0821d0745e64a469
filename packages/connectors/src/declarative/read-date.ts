import { readMailDate } from '../mail/date.ts';
import { storableInstant } from '../sdk/instant.ts';

const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;

/**
 * Reads an instant of ISO 8601, else a date as mails have it. A day is its start, and what has no zone is UTC: the zone of the
 * server has no influence. Returns undefined for a text that is no date.
 */
export function readDate(text: string): Date | undefined {
  const time = ISO_INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? readMailDate(text) : storableInstant(time);
}
