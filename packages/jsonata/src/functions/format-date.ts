import { JsonataError } from '../runtime/errors.ts';
import type { Budget } from '../runtime/limits.ts';
import { DAYS, halfOfDay, MONTHS, numericComponent } from './calendar.ts';
import { type DatePart, type Marker, parseDatePicture } from './date-picture.ts';
import { formatByPicture, formatInteger } from './format-integer.ts';

const ISO_PICTURE = '[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01].[f001][Z01:01t]';

/** Offset from UTC; both parts have the same sign. */
interface Offset {
  readonly hours: number;
  readonly minutes: number;
}

let isoParts: DatePart[] | undefined;

/**
 * Formats a timestamp (milliseconds since 1970 UTC) by a picture, by default as ISO 8601, in a time zone such as
 * "+hhmm". @throws JsonataError D3130 to D3135
 */
export function formatDate(
  millis: number,
  at: { picture: string | undefined; zone: string | undefined; budget: Budget },
): string {
  const { picture, zone, budget } = at;
  budget.spendPicture(picture ?? '');
  budget.spendPicture(zone ?? '');
  const offset = parseOffset(zone);
  if (picture === undefined) isoParts ??= parseDatePicture(ISO_PICTURE);
  const parts = picture === undefined ? (isoParts ?? []) : parseDatePicture(picture);
  const date = new Date(millis + (60 * offset.hours + offset.minutes) * 60_000);
  let text = '';
  for (const part of parts) {
    text += typeof part === 'string' ? part : String(formatMarker(date, part, { offset, budget }));
    budget.spendText(text.length);
  }
  return text;
}

function parseOffset(zone: string | undefined): Offset {
  if (zone === undefined) return { hours: 0, minutes: 0 };
  const offset = Number.parseInt(zone, 10);
  return { hours: Math.floor(offset / 100), minutes: offset % 100 };
}

function formatMarker(
  date: Date,
  marker: Marker,
  at: { offset: Offset; budget: Budget },
): string | undefined {
  const { component, names } = marker;
  switch (component) {
    case 'Z':
    case 'z':
      return formatZone(marker, at);
    case 'P': {
      const half = halfOfDay(date);
      return names === 'upper' ? half.toUpperCase() : half;
    }
    case 'C':
    case 'E':
      return 'ISO';
    default: {
      const value = numericComponent(date, component);
      if (value === undefined) return undefined;
      if (names !== undefined && component !== 'f') return formatName(value, marker);
      const cut = component === 'Y' && marker.yearDigits !== -1 ? value % 10 ** marker.yearDigits : value;
      if (marker.integer === undefined) throw new JsonataError('D3133', { value: component });
      return formatByPicture(cut, marker.integer, at.budget);
    }
  }
}

function formatName(value: number, marker: Marker): string {
  const { component, names, maximumWidth } = marker;
  let name: string;
  if (component === 'M' || component === 'x') name = MONTHS[value - 1] ?? '';
  else if (component === 'F') name = DAYS[value] ?? '';
  else throw new JsonataError('D3133', { value: component });
  if (names === 'upper') name = name.toUpperCase();
  if (names === 'lower') name = name.toLowerCase();
  return maximumWidth !== undefined && name.length > maximumWidth ? name.slice(0, maximumWidth) : name;
}

function formatZone(marker: Marker, { offset, budget }: { offset: Offset; budget: Budget }): string {
  const { integer } = marker;
  if (integer === undefined) throw new JsonataError('D3134');
  const whole = offset.hours * 100 + offset.minutes;
  if (whole === 0 && marker.modifier === 't') {
    checkZoneDigits(marker);
    return 'Z';
  }
  let text: string;
  const digits = integer.mandatoryDigits;
  if (integer.regular !== undefined || digits === 3 || digits === 4) {
    text = formatByPicture(whole, integer, budget);
  } else {
    checkZoneDigits(marker);
    text = formatByPicture(offset.hours, integer, budget);
    if (offset.minutes !== 0) text += `:${formatInteger(offset.minutes, '00', budget)}`;
  }
  if (whole >= 0) text = `+${text}`;
  return marker.component === 'z' ? `GMT${text}` : text;
}

function checkZoneDigits({ integer }: Marker): void {
  const digits = integer?.mandatoryDigits ?? 0;
  if (integer?.regular === undefined && (digits < 1 || digits > 4))
    throw new JsonataError('D3134', { value: digits });
}
