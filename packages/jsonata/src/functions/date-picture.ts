import { JsonataError } from '../runtime/errors.ts';
import { type IntegerPicture, parseIntegerPicture } from './integer-picture.ts';

/** A component such as `[M01]` or `[FNn,3-3]`. */
export interface Marker {
  readonly component: string;
  readonly presentation: string;
  /** The second presentation modifier: a, t, c or o. */
  readonly modifier: string | undefined;
  readonly minimumWidth: number | undefined;
  readonly maximumWidth: number | undefined;
  /** The case of a component that is written as a name. */
  readonly names: 'lower' | 'upper' | 'title' | undefined;
  readonly integer: IntegerPicture | undefined;
  /** Number of digits that a year is cut to; -1 for all. */
  readonly yearDigits: number;
}

export type DatePart = string | Marker;

const DEFAULT_PRESENTATION: Readonly<Record<string, string>> = {
  Y: '1',
  M: '1',
  D: '1',
  d: '1',
  F: 'n',
  W: '1',
  w: '1',
  X: '1',
  x: '1',
  H: '1',
  h: '1',
  P: 'n',
  m: '01',
  s: '01',
  f: '1',
  Z: '01:01',
  z: '01:01',
  C: 'n',
  E: 'n',
};

/** Components that are written as numbers unless a name is requested. */
const NUMERIC = 'YMDdFWwXxHhmsf';

/** Parses a picture into literals and markers, by XPath fn:format-dateTime, 9.8.4.1. @throws JsonataError D3132, D3135 */
export function parseDatePicture(picture: string): DatePart[] {
  const parts: DatePart[] = [];
  const addLiteral = (text: string): void => {
    if (text !== '') parts.push(text.replaceAll(']]', ']'));
  };
  let start = 0;
  for (let at = picture.indexOf('['); at >= 0; at = picture.indexOf('[', start)) {
    addLiteral(picture.slice(start, at));
    if (picture[at + 1] === '[') {
      parts.push('[');
      start = at + 2;
      continue;
    }
    const end = picture.indexOf(']', at);
    if (end < 0) throw new JsonataError('D3135');
    const marker = parseMarker(picture.slice(at + 1, end).replace(/\s+/g, ''));
    const previous = parts.at(-1);
    if (marker.integer && marker.names === undefined && NUMERIC.includes(marker.component)) {
      if (typeof previous === 'object' && previous.integer) {
        previous.integer.parseWidth = previous.integer.mandatoryDigits;
      }
    }
    parts.push(marker);
    start = end + 1;
  }
  addLiteral(picture.slice(start));
  return parts;
}

function parseMarker(text: string): Marker {
  const component = text.charAt(0);
  const comma = text.lastIndexOf(',');
  const [minimumWidth, maximumWidth] =
    comma < 0 ? [undefined, undefined] : parseWidths(text.slice(comma + 1));
  const modifiers = text.slice(1, comma < 0 ? undefined : comma);
  let presentation: string | undefined = modifiers;
  let modifier: string | undefined;
  if (modifiers === '') {
    presentation = Object.hasOwn(DEFAULT_PRESENTATION, component)
      ? DEFAULT_PRESENTATION[component]
      : undefined;
  } else if (modifiers.length > 1 && 'atco'.includes(modifiers.at(-1) ?? '')) {
    modifier = modifiers.at(-1);
    presentation = modifiers.slice(0, -1);
  }
  if (presentation === undefined) throw new JsonataError('D3132', { value: component });
  const names = namesOf(presentation);
  const marker = { component, presentation, modifier, minimumWidth, maximumWidth, names };
  if (component === 'Z' || component === 'z') {
    return { ...marker, integer: parseIntegerPicture(presentation), yearDigits: -1 };
  }
  if (names !== undefined || !NUMERIC.includes(component))
    return { ...marker, integer: undefined, yearDigits: -1 };
  return { ...marker, ...parseNumeric(marker) };
}

function parseWidths(text: string): [number | undefined, number | undefined] {
  const width = (each: string | undefined): number | undefined =>
    each === undefined || each === '*' ? undefined : Number.parseInt(each, 10);
  const dash = text.indexOf('-');
  return dash < 0 ? [width(text), undefined] : [width(text.slice(0, dash)), width(text.slice(dash + 1))];
}

function namesOf(presentation: string): Marker['names'] {
  if (presentation[0] === 'n') return 'lower';
  if (presentation[0] !== 'N') return undefined;
  return presentation[1] === 'n' ? 'title' : 'upper';
}

function parseNumeric(
  marker: Omit<Marker, 'integer' | 'yearDigits'>,
): Pick<Marker, 'integer' | 'yearDigits'> {
  const { component, presentation, modifier, minimumWidth, maximumWidth } = marker;
  const integer = parseIntegerPicture(modifier === undefined ? presentation : `${presentation};${modifier}`);
  if (minimumWidth !== undefined && integer.mandatoryDigits < minimumWidth)
    integer.mandatoryDigits = minimumWidth;
  if (component !== 'Y') return { integer, yearDigits: -1 };
  if (maximumWidth !== undefined) {
    integer.mandatoryDigits = maximumWidth;
    return { integer, yearDigits: maximumWidth };
  }
  const digits = integer.mandatoryDigits + integer.optionalDigits;
  return { integer, yearDigits: digits >= 2 ? digits : -1 };
}
