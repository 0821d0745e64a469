import { type Code, call, type Duration, literal, operand } from './code.ts';
import { UntranslatableError } from './untranslatable-error.ts';

/** Directives of `strftime`, as pictures of `$fromMillis`. */
const DIRECTIVES: Readonly<Record<string, string>> = {
  Y: '[Y0001]',
  m: '[M01]',
  d: '[D01]',
  H: '[H01]',
  I: '[h01]',
  M: '[m01]',
  S: '[s01]',
  f: '[f001]000',
  z: '+0000',
  Z: 'UTC',
  y: '[Y01]',
  j: '[d001]',
  b: '[MNn,3-3]',
  B: '[MNn]',
  a: '[FNn,3-3]',
  A: '[FNn]',
  p: '[PN]',
  F: '[Y0001]-[M01]-[D01]',
  T: '[H01]:[m01]:[s01]',
  '%': '%',
};
/** Formats of the CDK for numbers. */
const NUMBERS: Readonly<Record<string, (ms: string) => Code>> = {
  '%s': (ms) => call(`$string($floor(${ms} / 1000))`, 'text'),
  '%ms': (ms) => call(`$string(${ms})`, 'text'),
  '%_ms': (ms) => call(`$string(${ms})`, 'text'),
  '%s_as_float': (ms) => call(`$flt(${ms} / 1000)`, 'text'),
  '%epoch_microseconds': (ms) => call(`$string(${ms} * 1000)`, 'text'),
};
const DAY_MS = 86_400_000;

/** Reads an ISO 8601 duration such as `P30DT23H`. @throws UntranslatableError */
export function readDuration(text: string): Duration {
  const found =
    /^(-?)P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(
      text,
    );
  if (!found || text.endsWith('P') || text.endsWith('T'))
    throw new UntranslatableError(`${JSON.stringify(text)} is no duration`);
  const [years, months, weeks, days, hours, minutes, seconds] = found
    .slice(2)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number, number];
  const sign = found[1] === '-' ? -1 : 1;
  const time = (hours * 60 + minutes) * 60 + seconds;
  return { months: sign * (years * 12 + months), ms: sign * ((weeks * 7 + days) * DAY_MS + time * 1000) };
}

/** Returns an instant or day moved by a duration. @param sign 1 adds, -1 subtracts */
export function moved(instant: Code, { months, ms }: Duration, sign: 1 | -1): Code {
  let source = operand(instant);
  // A day moves by whole days.
  const time = instant.type === 'day' ? Math.floor(ms / DAY_MS) * DAY_MS : ms;
  if (months !== 0) source = `$months(${source}, ${sign * months})`;
  if (time === 0) return { source, type: instant.type, isSimple: true };
  return { source: `${source} ${sign * time < 0 ? '-' : '+'} ${Math.abs(time)}`, type: instant.type };
}

/** Returns the text of an instant by a format of `strftime`. @throws UntranslatableError for a directive without translation */
export function formatted({ source }: Code, format: string): Code {
  const number = Object.hasOwn(NUMBERS, format) ? NUMBERS[format] : undefined;
  if (number) return number(source.includes(' ') ? `(${source})` : source);
  const picture = format.replace(/%(-?.)|[[\]]/gs, (found, directive?: string) => {
    if (directive === undefined) return found + found;
    const known = Object.hasOwn(DIRECTIVES, directive) ? DIRECTIVES[directive] : undefined;
    if (known === undefined) throw new UntranslatableError(`the date format ${found}`);
    return known;
  });
  if (picture.endsWith('%')) throw new UntranslatableError(`the date format ${format}`);
  return call(`$fromMillis(${source}, ${JSON.stringify(picture)})`, 'text');
}

/** Returns the text of an instant or a day as Python prints it. */
export function printed(instant: Code): Code {
  return formatted(instant, instant.type === 'day' ? '%Y-%m-%d' : '%Y-%m-%d %H:%M:%S.%f+00:00');
}

/** The time of the run, and its day. */
export const NOW = call('$toMillis(now)', 'instant');
export const TODAY = call('$toMillis($substring(now, 0, 10))', 'day');
export const ISO_FORMAT = literal('%Y-%m-%dT%H:%M:%S.%f%z');
