import { JsonataError } from '../runtime/errors.ts';

/** A grouping separator and its position, counted in digits from the right. */
interface Separator {
  position: number;
  readonly character: string;
}

/** A parsed integer picture. See https://www.w3.org/TR/xpath-functions-31/#func-format-integer */
export interface IntegerPicture {
  readonly kind: 'decimal' | 'letters' | 'roman' | 'words' | 'sequence';
  readonly letterCase: 'upper' | 'lower' | 'title';
  readonly ordinal: boolean;
  /** Code point of zero in the picture's digit family. */
  readonly zero: number;
  mandatoryDigits: number;
  readonly optionalDigits: number;
  /** A separator that repeats at a fixed distance. */
  readonly regular: Separator | undefined;
  readonly separators: readonly Separator[];
  /** Number of digits to parse when another number follows directly. */
  parseWidth: number | undefined;
  readonly text: string;
}

/** Code points of zero in each decimal digit family. */
const ZEROS = [
  0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50,
  0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40,
  0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

const NAMED: Readonly<Record<string, Pick<IntegerPicture, 'kind' | 'letterCase'>>> = {
  A: { kind: 'letters', letterCase: 'upper' },
  a: { kind: 'letters', letterCase: 'lower' },
  I: { kind: 'roman', letterCase: 'upper' },
  i: { kind: 'roman', letterCase: 'lower' },
  W: { kind: 'words', letterCase: 'upper' },
  Ww: { kind: 'words', letterCase: 'title' },
  w: { kind: 'words', letterCase: 'lower' },
};

/** Parses a picture. @throws JsonataError D3131 for digits of different families */
export function parseIntegerPicture(picture: string): IntegerPicture {
  const semicolon = picture.lastIndexOf(';');
  const text = semicolon < 0 ? picture : picture.slice(0, semicolon);
  const ordinal = semicolon >= 0 && picture[semicolon + 1] === 'o';
  const base = {
    kind: 'decimal' as const,
    letterCase: 'lower' as const,
    ordinal,
    zero: 0x30,
    mandatoryDigits: 0,
    optionalDigits: 0,
    regular: undefined,
    separators: [],
    parseWidth: undefined,
    text,
  };
  if (Object.hasOwn(NAMED, text)) return { ...base, ...NAMED[text] };
  return { ...base, ...parseDigits(text) };
}

function parseDigits(text: string): Partial<IntegerPicture> {
  let zero: number | undefined;
  let mandatoryDigits = 0;
  let optionalDigits = 0;
  const separators: Separator[] = [];
  for (const character of [...text].reverse()) {
    const code = character.codePointAt(0) ?? 0;
    const family = ZEROS.find((each) => code >= each && code <= each + 9);
    if (family !== undefined) {
      mandatoryDigits++;
      zero ??= family;
      if (family !== zero) throw new JsonataError('D3131');
    } else if (character === '#') {
      optionalDigits++;
    } else {
      separators.push({ position: mandatoryDigits + optionalDigits, character });
    }
  }
  if (zero === undefined) return { kind: 'sequence' };
  const distance = regularDistance(separators);
  const [first] = separators;
  const regular =
    distance > 0 && first !== undefined ? { position: distance, character: first.character } : undefined;
  return { zero, mandatoryDigits, optionalDigits, regular, separators };
}

/** Returns the distance at which equal separators repeat; 0 if they do not. */
function regularDistance(separators: readonly Separator[]): number {
  const [first] = separators;
  if (first === undefined || separators.some((each) => each.character !== first.character)) return 0;
  return commonDistance(separators.map((each) => each.position));
}

/** Returns the greatest common divisor of the positions if all its first multiples are positions; 0 otherwise. */
export function commonDistance(positions: readonly number[]): number {
  if (positions.length === 0) return 0;
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  const distance = positions.reduce((a, b) => divisor(a, b));
  return positions.every((_, i) => positions.includes((i + 1) * distance)) ? distance : 0;
}
