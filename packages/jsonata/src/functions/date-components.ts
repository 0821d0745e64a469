import { JsonataError } from '../runtime/errors.ts';
import { DAYS, MONTHS } from './calendar.ts';
import type { Marker } from './date-picture.ts';
import { parseByPicture } from './format-integer.ts';
import type { IntegerPicture } from './integer-picture.ts';
import { NUMBER_WORDS } from './number-words.ts';

/** Matches and parses one part of a date picture. */
export interface PartReader {
  /** The letter of the component; empty for a literal. */
  readonly component: string;
  /** Returns the possible end offsets of the part from `from`, longest first. */
  ends(text: string, from: number): number[];
  /** Parses the matched text; undefined for a literal or an unknown name. */
  readonly parse: ((taken: string) => number | undefined) | undefined;
}

/** Matches a literal text, ignoring case. */
export function literalReader(literal: string): PartReader {
  const wanted = literal.toLowerCase();
  return {
    component: '',
    ends: (text, from) =>
      text.slice(from, from + literal.length).toLowerCase() === wanted ? [from + literal.length] : [],
    parse: undefined,
  };
}

/** Matches a marker of a picture. @throws JsonataError D3130 (unsupported number format), D3133 (no such names) */
export function markerReader(marker: Marker): PartReader {
  const { component, integer } = marker;
  if (component === 'Z' || component === 'z') return zoneReader(marker);
  if (component === 'f') {
    return {
      component,
      ends: runOf(/[0-9]/),
      parse: (taken) => Number.parseFloat(`0.${taken.slice(0, 3)}`) * 1000,
    };
  }
  if (integer !== undefined) return { component, ...integerReader(integer) };
  const names = nameTable(marker);
  return { component, ends: runOf(/[a-z]/i), parse: (taken) => names.get(taken) };
}

/** Matches one or more characters of a class. */
function runOf(character: RegExp): PartReader['ends'] {
  return (text, from) => {
    let end = from;
    while (end < text.length && character.test(text.charAt(end))) end++;
    return Array.from({ length: end - from }, (_, i) => end - i);
  };
}

function integerReader(picture: IntegerPicture): Omit<PartReader, 'component'> {
  const parse = (taken: string): number => parseByPicture(taken, picture);
  switch (picture.kind) {
    case 'letters':
      return { parse, ends: runOf(/[a-z]/i) };
    case 'roman':
      return { parse, ends: runOf(/[mdclxvi]/i) };
    case 'words':
      return { parse, ends: wordEnds };
    case 'decimal':
      return { parse, ends: digitEnds(picture) };
    default:
      throw new JsonataError('D3130', { value: picture.text });
  }
}

/** Matches digits, exactly `parseWidth` if it is set, and the two letters after an ordinal. */
function digitEnds({ parseWidth, ordinal }: IntegerPicture): PartReader['ends'] {
  const digits = runOf(/[0-9]/);
  return (text, from) => {
    const all = digits(text, from);
    const ends = parseWidth === undefined ? all : all.filter((end) => end - from === parseWidth);
    if (!ordinal) return ends;
    return ends.filter((end) => /^(?:th|st|nd|rd)$/i.test(text.slice(end, end + 2))).map((end) => end + 2);
  };
}

const WORDS = [...NUMBER_WORDS, 'and', '-', ',', ' '];

/** Matches a series of number words and their separators, ignoring case. */
function wordEnds(text: string, from: number): number[] {
  const lower = text.toLowerCase();
  const reached = new Set<number>();
  const pending = [from];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const word of WORDS) {
      const end = at + word.length;
      if (lower.startsWith(word, at) && !reached.has(end)) {
        reached.add(end);
        pending.push(end);
      }
    }
  }
  return [...reached].sort((a, b) => b - a);
}

/** Matches a time zone offset with a sign, after `GMT` for `[z]`; the letter `Z` does not match. */
function zoneReader({ component, integer }: Marker): PartReader {
  const prefix = component === 'z' ? 'GMT' : '';
  const separator = integer?.regular?.character;
  const digits = runOf(/[0-9]/);
  return {
    component,
    ends: (text, from) => {
      const sign = from + prefix.length;
      if (text.slice(from, sign).toUpperCase() !== prefix || !/[-+]/.test(text.charAt(sign))) return [];
      const hours = digits(text, sign + 1);
      if (separator === undefined) return hours;
      return hours.flatMap((end) =>
        text.startsWith(separator, end) ? digits(text, end + separator.length) : [],
      );
    },
    parse: (taken) => parseZone(taken.slice(prefix.length), separator),
  };
}

/** Returns a time zone offset in minutes. Like the reference, adds the minutes to negative hours too: -05:30 is -270. */
function parseZone(text: string, separator: string | undefined): number {
  const at = separator === undefined ? (text.length <= 3 ? text.length : 3) : text.indexOf(separator);
  const hours = Number.parseInt(text.slice(0, at), 10);
  const rest = text.slice(separator === undefined ? at : at + 1);
  return hours * 60 + (rest === '' ? 0 : Number.parseInt(rest, 10));
}

/** Returns numbers by the name of a month, weekday (Monday is 1) or half-day, case-sensitive. @throws JsonataError D3133 */
function nameTable({ component, maximumWidth }: Marker): Map<string, number> {
  const cut = (name: string): string => (maximumWidth ? name.slice(0, maximumWidth) : name);
  switch (component) {
    case 'M':
    case 'x':
      return new Map(MONTHS.map((name, index) => [cut(name), index + 1]));
    case 'F':
      return new Map(DAYS.slice(1).map((name, index) => [cut(name), index + 1]));
    case 'P':
      return new Map([
        ['am', 0],
        ['AM', 0],
        ['pm', 1],
        ['PM', 1],
      ]);
    default:
      throw new JsonataError('D3133', { value: component });
  }
}
