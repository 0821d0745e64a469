import { readDate } from './read-date.ts';

/** A date as a service writes it. */
export interface DateForm {
  /** The instant that the value names, ms since 1970. */
  time: number;
  /** Writes another instant in the same form. */
  write(time: number): string | number;
}

const INSTANT = /^\d{4}-\d\d-\d\d([T ])\d\d:\d\d(:\d\d)?([.,]\d{1,9})?( ?(?:Z|UTC|[+-]\d\d:?\d\d))?$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** `Thu, 01 Jan 2026 01:00:00 GMT`: weekday, day, month, year, clock, seconds, zone. */
const MAIL_DATE =
  /^([A-Z][a-z]{2},? )?(\d{1,2})([ -])([A-Z][a-z]{2})\3(\d{4}) (\d\d:\d\d)(:\d\d)?( .{1,12})?$/;
/** `2026/1/31`, `20260131`, `31.12.2026`, `12/31/2026`: year first, or last. */
const YEAR_FIRST = /^(\d{4})([-/.]?)(\d\d?)\2(\d\d?)(?:([ T])(.{4,30}))?$/;
const YEAR_LAST = /^(\d\d?)([-/.])(\d\d?)\2(\d{4})(?:(,? |T)(.{4,30}))?$/;
/** `31 Dec 2026` and `December 31, 2026`. */
const NAMED_LAST = /^(\d\d?)(\.?[ -])([A-Za-z]{3,9})(\.?,?[ -])(\d{4})(?:(,? )(.{4,30}))?$/;
const NAMED_FIRST = /^([A-Za-z]{3,9})(\.? )(\d\d?)(,? )(\d{4})(?:(,? )(.{4,30}))?$/;
const CLOCK = /^(\d\d?)(:?)(\d\d)(?:\2(\d\d))?(\.\d{1,9})?( ?[AaPp][Mm])?( ?(?:Z|UTC|GMT))?$/;
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const MINUTE_MS = 60_000;

/** Numbers between these are seconds since 1970, and a thousand times as much milliseconds: the years 2001 to 2100. */
const FIRST_SECONDS = 1e9;
const LAST_SECONDS = 4.1e9;

function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  if (hours === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

function numberForm(value: number): (Omit<DateForm, 'write'> & { write(time: number): number }) | undefined {
  if (!Number.isInteger(value)) return undefined;
  if (value >= FIRST_SECONDS && value < LAST_SECONDS)
    return { time: value * 1000, write: (time) => Math.floor(time / 1000) };
  return value >= 1000 * FIRST_SECONDS && value < 1000 * LAST_SECONDS
    ? { time: value, write: (time) => time }
    : undefined;
}

/** Returns the form of seconds or milliseconds since 1970 as text; seconds may have a fraction. */
function numberTextForm(value: string): DateForm | undefined {
  const [, whole = '', fraction = ''] = /^(\d{10,13})(\.\d{1,9})?$/.exec(value) ?? [];
  const form = numberForm(Number(whole));
  if (!form) return undefined;
  if (fraction === '') return { time: form.time, write: (time) => String(form.write(time)) };
  if (whole.length > 10) return undefined;
  const time = form.time + Math.floor(Number(`0${fraction}`) * 1000);
  const digits = fraction.length - 1;
  return {
    time,
    write: (other) =>
      `${Math.floor(other / 1000)}.${String(other % 1000)
        .padStart(3, '0')
        .padEnd(digits, '0')
        .slice(0, digits)}`,
  };
}

const widthOf = (text: string) => (text.startsWith('0') || text.length === 2 ? 2 : 1);
const padded = (value: number, like: string) => String(value).padStart(widthOf(like), '0');

/** Returns the form of a time of day: `9:05 PM`, `21:05:00`; undefined for others. `time` is since midnight. */
function clockForm(text: string | undefined): DateForm | undefined {
  if (text === undefined) return { time: 0, write: () => '' };
  const [, hours = '', separator = '', minutes = '', seconds, fraction, half, zone = ''] =
    CLOCK.exec(text) ?? [];
  if (hours === '' || (separator === '' && hours.length < 2)) return undefined;
  const isAfternoon = /p/i.test(half ?? '');
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isAfternoon ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds ?? 0) > 59) return undefined;
  const milliseconds = fraction === undefined ? 0 : Math.floor(Number(`0${fraction}`) * 1000);
  return {
    time: (hour * 60 + Number(minutes)) * MINUTE_MS + Number(seconds ?? 0) * 1000 + milliseconds,
    write(time) {
      const at = new Date(time);
      const all = at.getUTCHours();
      const [space = ''] = /^ ?/.exec(half ?? '') ?? [];
      const suffix = half === undefined ? '' : `${space}${all < 12 ? 'AM' : 'PM'}`;
      const written = padded(half === undefined ? all : all % 12 || 12, hours);
      const two = (value: number) => String(value).padStart(2, '0');
      const digits = (fraction?.length ?? 1) - 1;
      return [
        written,
        separator,
        two(at.getUTCMinutes()),
        seconds === undefined ? '' : separator + two(at.getUTCSeconds()),
        fraction === undefined
          ? ''
          : `.${String(at.getUTCMilliseconds()).padStart(3, '0').padEnd(digits, '0').slice(0, digits)}`,
        suffix,
        zone,
      ].join('');
    },
  };
}

/** Returns the start of a day; undefined for one that does not exist. */
function dayOf(year: string, month: number, day: string): number | undefined {
  const time = Date.UTC(Number(year), month - 1, Number(day));
  const date = new Date(time);
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day);
  return isDay && Number(year) >= 1900 && Number(year) < 2100 ? time : undefined;
}

/** Returns the form of a date that a writer of its day composes with a time of day. */
function composedForm(
  day: number | undefined,
  clock: string | undefined,
  write: (date: Date, clock: string) => string,
): DateForm | undefined {
  const ofDay = clockForm(clock);
  if (day === undefined || !ofDay) return undefined;
  return { time: day + ofDay.time, write: (time) => write(new Date(time), String(ofDay.write(time))) };
}

function yearFirstForm(value: string): DateForm | undefined {
  const [isDate, year = '', mark = '', month = '', day = '', gap = '', clock] = YEAR_FIRST.exec(value) ?? [];
  if (isDate === undefined || (mark === '' && month.length + day.length < 4)) return undefined;
  return composedForm(dayOf(year, Number(month), day), clock, (date, time) =>
    [
      date.getUTCFullYear(),
      mark,
      padded(date.getUTCMonth() + 1, month),
      mark,
      padded(date.getUTCDate(), day),
      gap,
      time,
    ].join(''),
  );
}

/** Returns the form of a day as a number: `20260131`. */
function dayNumberForm(value: number): DateForm | undefined {
  const form =
    Number.isInteger(value) && value >= 1e7 && value < 1e8 ? yearFirstForm(String(value)) : undefined;
  return form && { time: form.time, write: (time) => Number(form.write(time)) };
}

function yearLastForm(value: string, isDayFirst: boolean): DateForm | undefined {
  const [isDate, one = '', mark = '', two = '', year = '', gap = '', clock] = YEAR_LAST.exec(value) ?? [];
  if (isDate === undefined) return undefined;
  const isFirst = mark === '.' || Number(one) > 12 || (isDayFirst && Number(two) <= 12);
  const [day, month] = isFirst ? [one, two] : [two, one];
  return composedForm(dayOf(year, Number(month), day), clock, (date, time) => {
    const written = [padded(date.getUTCDate(), day), padded(date.getUTCMonth() + 1, month)];
    return [...(isFirst ? written : written.reverse()), date.getUTCFullYear()].join(mark) + gap + time;
  });
}

function namedForm(value: string): DateForm | undefined {
  const last = NAMED_LAST.exec(value);
  const found = last ?? NAMED_FIRST.exec(value);
  if (!found) return undefined;
  const [, one = '', gap = '', two = '', after = '', year = '', before = '', clock] = found;
  const [day, name] = last ? [one, two] : [two, one];
  const lower = name.toLowerCase();
  const month = MONTHS.findIndex((known) =>
    name.length === 3 ? known.toLowerCase().startsWith(lower) : known.toLowerCase() === lower,
  );
  return composedForm(month < 0 ? undefined : dayOf(year, month + 1, day), clock, (date, time) => {
    const written = MONTHS[date.getUTCMonth()] ?? '';
    const short = name.length === 3 ? written.slice(0, 3) : written;
    const [first, second] = last
      ? [padded(date.getUTCDate(), day), short]
      : [short, padded(date.getUTCDate(), day)];
    return [first, gap, second, after, date.getUTCFullYear(), before, time].join('');
  });
}

function mailForm(value: string): DateForm | undefined {
  const [isDate, weekday, day = '', gap = '', month = '', year = '', clock = '', seconds = '', zone = ''] =
    MAIL_DATE.exec(value) ?? [];
  const time = isDate === undefined ? undefined : readDate(value)?.getTime();
  if (time === undefined) return undefined;
  const local = Date.parse(`${day} ${month} ${year} ${clock}${seconds} GMT`);
  const offset = Number.isNaN(local) ? 0 : local - time;
  return {
    time,
    write(other) {
      const date = new Date(other + offset);
      const text = date.toUTCString();
      return [
        weekday === undefined ? '' : text.slice(0, 3) + weekday.slice(3),
        [padded(date.getUTCDate(), day), text.slice(8, 11), text.slice(12, 16)].join(gap),
        ` ${text.slice(17, seconds === '' ? 22 : 25)}${zone}`,
      ].join('');
    },
  };
}

function instantForm(value: string): DateForm | undefined {
  const [isInstant, separator = 'T', seconds, fraction = '', zone = ''] = INSTANT.exec(value) ?? [];
  if (!isInstant) return undefined;
  const time = Date.parse(`${value.slice(0, 10)}T${value.slice(11, seconds ? 19 : 16)}Z`);
  if (Number.isNaN(time)) return undefined;
  const milliseconds = fraction === '' ? 0 : Math.floor(Number(`0.${fraction.slice(1)}`) * 1000);
  return {
    time: time + milliseconds - offsetOf(zone),
    write(other) {
      const [day = '', clock = ''] = new Date(other + offsetOf(zone)).toISOString().slice(0, -1).split('T');
      const digits =
        fraction === ''
          ? ''
          : fraction[0] +
            clock
              .slice(9)
              .padEnd(fraction.length - 1, '0')
              .slice(0, fraction.length - 1);
      return `${day}${separator}${clock.slice(0, seconds ? 8 : 5)}${digits}${zone}`;
    },
  };
}

/**
 * Returns how a value writes its date; undefined if it is no date: an instant of ISO 8601, a day in numbers or with an English
 * name of a month, a date of mails, or seconds or milliseconds since 1970.
 * @param isDayFirst whether `01/02/2026` is in February
 */
export function dateFormOf(value: unknown, isDayFirst = false): DateForm | undefined {
  if (typeof value === 'number') return numberForm(value) ?? dayNumberForm(value);
  if (typeof value !== 'string' || value.length > 60 || !/\d/.test(value)) return undefined;
  if (DAY.test(value)) {
    const time = Date.parse(`${value}T00:00:00Z`);
    return Number.isNaN(time)
      ? undefined
      : { time, write: (other) => new Date(other).toISOString().slice(0, 10) };
  }
  return (
    instantForm(value) ??
    mailForm(value) ??
    yearFirstForm(value) ??
    yearLastForm(value, isDayFirst) ??
    namedForm(value) ??
    numberTextForm(value)
  );
}

/** Returns whether texts of a document, such as the pictures of `$toMillis`, write the day of a date before its month. */
export function isDayFirstIn(texts: Iterable<string>): boolean {
  return [...texts].some((text) => {
    const [day, month] = [text.indexOf('[D'), text.indexOf('[M')];
    return day >= 0 && month > day;
  });
}

/** Returns the instant (ms since 1970) that a text names or contains, as the parameters of incremental runs do; undefined without one. */
export function timeIn(text: string): number | undefined {
  const [iso] =
    /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/.exec(text) ?? [];
  if (iso !== undefined) {
    const time = Date.parse(/[T ]/.test(iso) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? `${iso}Z` : iso);
    return Number.isNaN(time) ? undefined : time;
  }
  for (const digits of text.match(/\d{10,13}/g) ?? []) {
    const form = numberForm(Number(digits));
    if (form) return form.time;
  }
  return undefined;
}
