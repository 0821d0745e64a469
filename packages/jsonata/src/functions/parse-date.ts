import { JsonataError } from '../runtime/errors.ts';
import type { Budget } from '../runtime/limits.ts';
import { numericComponent } from './calendar.ts';
import { literalReader, markerReader, type PartReader } from './date-components.ts';
import { parseDatePicture } from './date-picture.ts';

const ISO = /^\d{4}(-[01]\d)?(-[0-3]\d)?(T[0-2]\d:[0-5]\d:[0-5]\d)?(\.\d+)?([+-][0-2]\d:?[0-5]\d|Z)?$/;

type Components = Map<string, number | undefined>;

/**
 * Parses a timestamp (milliseconds since 1970 UTC) in ISO 8601 or by a picture; undefined if the text does not match.
 * Missing components on the left come from `now`; those on the right are zero. @throws JsonataError D3110, D3130 to D3136
 */
export function parseDate(
  text: string,
  at: { picture: string | undefined; now: number; budget: Budget },
): number | undefined {
  const { picture, now, budget } = at;
  budget.spendPicture(picture ?? '');
  if (picture === undefined) {
    if (!ISO.test(text)) throw new JsonataError('D3110', { value: text });
    return Date.parse(text);
  }
  const readers = parseDatePicture(picture).map((part) =>
    typeof part === 'string' ? literalReader(part) : markerReader(part),
  );
  const ends = matchParts(text, readers, budget);
  if (ends === undefined) return undefined;
  const components: Components = new Map();
  readers.forEach((reader, i) => {
    const taken = text.slice(ends[i - 1] ?? 0, ends[i]);
    if (reader.parse !== undefined) components.set(reader.component, reader.parse(taken));
  });
  return components.size === 0 ? undefined : toInstant(components, new Date(now));
}

/** Returns where each part ends so that all parts match the whole text. Memoises dead ends. */
function matchParts(text: string, readers: readonly PartReader[], budget: Budget): number[] | undefined {
  const dead = new Set<number>();
  const ends: number[] = [];
  const step = (index: number, from: number): boolean => {
    const reader = readers[index];
    if (reader === undefined) return from === text.length;
    const key = index * (text.length + 1) + from;
    if (dead.has(key)) return false;
    const candidates = reader.ends(text, from);
    budget.spend(candidates.length + 1);
    for (const end of candidates) {
      ends[index] = end;
      if (step(index + 1, end)) return true;
    }
    dead.add(key);
    return false;
  };
  return step(0, 0) ? ends : undefined;
}

/** The components as bits, from the left. */
const DATE_BITS = 'YXMxWwdD';
const TIME_BITS = 'PHhmsf';

/** Returns whether at least one component is given and all given ones belong to the combination. */
function fits(components: Components, bits: string, combination: string): boolean {
  const given = [...bits].filter((component) => components.get(component));
  return given.length > 0 && given.every((component) => combination.includes(component));
}

function toInstant(components: Components, now: Date): number {
  const byMonth = fits(components, DATE_BITS, 'YMD');
  const byDay = !byMonth && fits(components, DATE_BITS, 'Yd');
  const byMonthWeek = fits(components, DATE_BITS, 'Xxw');
  const byWeek = !byMonthWeek && fits(components, DATE_BITS, 'XW');
  const byHalfDay = !fits(components, TIME_BITS, 'Hmsf') && fits(components, TIME_BITS, 'Phmsf');
  const date = byDay ? 'YD' : byMonthWeek ? 'XxwF' : byWeek ? 'XWF' : 'YMD';
  fillIn(components, date + (byHalfDay ? 'Phmsf' : 'Hmsf'), now);
  const value = (component: string): number => components.get(component) ?? Number.NaN;

  let month = value('M') > 0 ? value('M') - 1 : 0;
  let day = value('D');
  if (byDay) {
    const derived = new Date(Date.UTC(value('Y'), 0) + (value('d') - 1) * 86_400_000);
    month = derived.getUTCMonth();
    day = derived.getUTCDate();
  }
  if (byMonthWeek || byWeek) throw new JsonataError('D3136');
  let hour = value('H');
  if (byHalfDay) hour = (value('h') === 12 ? 0 : value('h')) + (value('P') === 1 ? 12 : 0);
  const millis = Date.UTC(value('Y'), month, day, hour, value('m'), value('s'), value('f'));
  return millis - (components.get('Z') || components.get('z') || 0) * 60_000;
}

/** Fills in components from the most to the least significant. @throws JsonataError D3136 for a gap */
function fillIn(components: Components, wanted: string, now: Date): void {
  let started = false;
  let ended = false;
  for (const component of wanted) {
    if (components.get(component) !== undefined) {
      started = true;
      if (ended) throw new JsonataError('D3136');
    } else if (started) {
      components.set(component, 'MDd'.includes(component) ? 1 : 0);
      ended = true;
    } else {
      components.set(component, numericComponent(now, component));
    }
  }
}
