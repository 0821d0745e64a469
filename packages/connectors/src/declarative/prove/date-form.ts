/** Writes instants (ms since 1970) as a service writes them. */
export type DateForm = (time: number) => string | number;

const INSTANT = /^\d{4}-\d\d-\d\d([T ])\d\d:\d\d(:\d\d)?(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** `Thu, 01 Jan 2026 01:00:00 GMT`. */
const MAIL_DATE = /^[A-Z][a-z]{2},? \d{1,2}[ -][A-Z][a-z]{2}/;
const MINUTE_MS = 60_000;

/** Numbers between these are seconds since 1970, and a thousand times as much milliseconds: the years 2001 to 2100. */
const FIRST_SECONDS = 1e9;
const LAST_SECONDS = 4.1e9;

function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  if (hours === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

function numberForm(value: number): ((time: number) => number) | undefined {
  if (value >= FIRST_SECONDS && value < LAST_SECONDS) return (time) => Math.floor(time / 1000);
  return value >= 1000 * FIRST_SECONDS && value < 1000 * LAST_SECONDS ? (time) => time : undefined;
}

/** Returns how a value writes its date: an instant of ISO 8601, a day, a date of mails, or a number; undefined if it is no date. */
export function dateFormOf(value: unknown): DateForm | undefined {
  if (typeof value === 'number') return numberForm(value);
  if (typeof value !== 'string') return undefined;
  if (DAY.test(value)) return (time) => new Date(time).toISOString().slice(0, 10);
  if (MAIL_DATE.test(value)) return (time) => new Date(time).toUTCString();
  if (/^\d{10,13}$/.test(value)) {
    const form = numberForm(Number(value));
    return form && ((time) => String(form(time)));
  }
  const [isInstant, separator = 'T', seconds, fraction = '', zone = ''] = INSTANT.exec(value) ?? [];
  if (!isInstant) return undefined;
  return (time) => {
    const [day = '', clock = ''] = new Date(time + offsetOf(zone)).toISOString().slice(0, -1).split('T');
    const digits =
      fraction === '' ? '' : clock.slice(8).padEnd(fraction.length, '0').slice(0, fraction.length);
    return `${day}${separator}${clock.slice(0, seconds ? 8 : 5)}${digits}${zone}`;
  };
}

/** Returns the instant (ms since 1970) that a text names or contains, as the parameters of incremental runs do; undefined without one. */
export function timeIn(text: string): number | undefined {
  const [iso] =
    /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/.exec(text) ?? [];
  if (iso !== undefined) {
    const time = Date.parse(/[T ]/.test(iso) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? `${iso}Z` : iso);
    return Number.isNaN(time) ? undefined : time;
  }
  const numbers = (text.match(/\d{10,13}/g) ?? []).map(Number);
  const found = numbers.find((value) => numberForm(value) !== undefined);
  if (found === undefined) return undefined;
  return found < LAST_SECONDS ? found * 1000 : found;
}
