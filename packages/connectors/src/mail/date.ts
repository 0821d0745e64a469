import { storableInstant } from '../sdk/instant.ts';

/** Longest part of a header that is parsed as a date, UTF-16 units. */
const MAX_LENGTH = 300;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Hours of the zones of RFC 5322, 4.3. Other names of zones mean UTC. */
const ZONES: Readonly<Record<string, number>> = {
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

const FORMS = [
  // 2 Mar 2026 09:00:00 +0000, also 2-Mar-26
  /^(?:(?:sun|mon|tue|wed|thu|fri|sat)[a-z]{0,6}\.?,? ?)?(?<day>\d{1,2})[ -](?<month>[a-z]{3})[a-z]{0,6}\.?,?[ -](?<year>\d{2,4})(?!\d)(?:,? (?:at )?(?<hour>\d{1,2})[:.](?<minute>\d{2})(?:[:.](?<second>\d{2})(?:[.,]\d{1,9})?)?(?: ?(?<half>[ap]m)\b)?(?: ?(?:gmt|utc?)?(?<sign>[+-])(?<zoneHour>\d{2}):?(?<zoneMinute>\d{2})?(?!\d)| ?(?<zone>[a-z]{1,5})\b)?)?/i,
  // Mon Mar 2 09:00:00 2026, also with a zone before the year
  /^(?:(?:sun|mon|tue|wed|thu|fri|sat)[a-z]{0,6}\.?,? ?)?(?<month>[a-z]{3})[a-z]{0,6}\.? (?<day>\d{1,2}),? (?<hour>\d{1,2})[:.](?<minute>\d{2})(?:[:.](?<second>\d{2})(?:[.,]\d{1,9})?)?(?: ?(?<half>[ap]m)\b)?(?: ?(?:gmt|utc?)?(?<sign>[+-])(?<zoneHour>\d{2}):?(?<zoneMinute>\d{2})?(?!\d)| ?(?<zone>[a-z]{1,5})\b)? (?<year>\d{4})(?!\d)/i,
  // Mon Mar 2 2026 09:00:00 GMT+0100, March 2, 2026
  /^(?:(?:sun|mon|tue|wed|thu|fri|sat)[a-z]{0,6}\.?,? ?)?(?<month>[a-z]{3})[a-z]{0,6}\.? (?<day>\d{1,2}),? (?<year>\d{4})(?!\d)(?:,? (?:at )?(?<hour>\d{1,2})[:.](?<minute>\d{2})(?:[:.](?<second>\d{2})(?:[.,]\d{1,9})?)?(?: ?(?<half>[ap]m)\b)?(?: ?(?:gmt|utc?)?(?<sign>[+-])(?<zoneHour>\d{2}):?(?<zoneMinute>\d{2})?(?!\d)| ?(?<zone>[a-z]{1,5})\b)?)?/i,
  // 2026-03-02T09:00:00Z
  /^(?<year>\d{4})-(?<number>\d{2})-(?<day>\d{2})(?:[t ](?<hour>\d{1,2})[:.](?<minute>\d{2})(?:[:.](?<second>\d{2})(?:[.,]\d{1,9})?)?(?: ?(?<half>[ap]m)\b)?(?: ?(?:gmt|utc?)?(?<sign>[+-])(?<zoneHour>\d{2}):?(?<zoneMinute>\d{2})?(?!\d)| ?(?<zone>[a-z]{1,5})\b)?)?/i,
];

/** Removes comments, which may be nested, and repeated white space. An unclosed comment hides the rest. */
function withoutComments(text: string): string {
  let depth = 0;
  let found = '';
  for (const char of text) {
    if (char === '(') depth++;
    found += depth > 0 ? ' ' : char;
    if (char === ')' && depth > 0) depth--;
  }
  return found
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([:,]) ?/g, (_, mark) => (mark === ',' ? ', ' : mark))
    .trim();
}

/** Completes a year by RFC 5322, 4.3: two digits mean 1950 to 2049, three are added to 1900. */
function fullYear(text: string): number {
  const year = Number(text);
  if (text.length >= 4) return year;
  return text.length === 2 && year < 50 ? 2000 + year : 1900 + year;
}

/** Returns minutes since midnight and seconds; undefined for a time that no clock shows. */
function clockOf({ hour, minute, second, half }: Record<string, string | undefined>): number | undefined {
  const [hours, minutes, seconds] = [Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)];
  if (hours > (half ? 12 : 24) || minutes > 59 || seconds > 60) return undefined;
  const shift = half?.toLowerCase() === 'pm' ? 12 : 0;
  return (((half ? hours % 12 : hours) + shift) * 60 + minutes) * 60 + seconds;
}

/** Returns the distance of a zone from UTC in minutes; 0 for an unknown zone. */
function offsetOf({ sign, zoneHour, zoneMinute, zone }: Record<string, string | undefined>): number {
  if (sign === undefined) return 60 * (ZONES[zone?.toLowerCase() ?? ''] ?? 0);
  const minutes = 60 * Number(zoneHour) + Number(zoneMinute ?? 0);
  return minutes > 24 * 60 ? 0 : Number(`${sign}${minutes}`);
}

/**
 * Reads a Date header (RFC 5322 with its obsolete forms, also ISO 8601). A date without a zone is UTC; the zone of the
 * server has no influence. Returns undefined for a text that is no date.
 */
export function readMailDate(header: string | undefined): Date | undefined {
  const text = withoutComments((header ?? '').slice(0, MAX_LENGTH));
  for (const form of FORMS) {
    const parts: Record<string, string | undefined> | undefined = form.exec(text)?.groups;
    if (!parts) continue;
    const month = parts.number ? Number(parts.number) - 1 : MONTHS.indexOf(parts.month?.toLowerCase() ?? '');
    const seconds = clockOf(parts);
    if (month < 0 || month > 11 || seconds === undefined) continue;
    // `Date.UTC` reads the year 99 as 1999.
    const midnight = new Date(0).setUTCFullYear(fullYear(parts.year ?? ''), month, Number(parts.day));
    if (new Date(midnight).getUTCDate() !== Number(parts.day)) continue;
    return storableInstant(midnight + 1000 * seconds - 60_000 * offsetOf(parts));
  }
  return undefined;
}
