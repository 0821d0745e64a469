const SMALL = [
  'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen',
  'Seventeen Eighteen Nineteen',
]
  .join(' ')
  .split(' ');
const SMALL_ORDINALS = [
  'Zeroth First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth Thirteenth Fourteenth',
  'Fifteenth Sixteenth Seventeenth Eighteenth Nineteenth',
]
  .join(' ')
  .split(' ');
const TENS = 'Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety Hundred'.split(' ');
const MAGNITUDES = 'Thousand Million Billion Trillion'.split(' ');

/** Writes an integer in English words with capitals, optionally as an ordinal ("Twenty-First"). */
export function toWords(value: number, ordinal: boolean): string {
  return words(value, '', ordinal);
}

/** Writes the words. `before` joins them to the previous words; only numbers below 100 use "and". */
function words(value: number, before: '' | 'and' | 'comma', ordinal: boolean): string {
  if (value < 100) return (before === '' ? '' : ' and ') + below100(value, ordinal);
  const lead = before === '' ? '' : ', ';
  if (value < 1000) {
    const head = `${lead}${SMALL[Math.floor(value / 100)]} Hundred`;
    return head + tail(value % 100, ordinal);
  }
  const magnitude = Math.min(Math.floor(Math.log10(value) / 3), MAGNITUDES.length);
  const factor = 10 ** (magnitude * 3);
  const mantissa = Math.floor(value / factor);
  const head = `${lead}${words(mantissa, '', false)} ${MAGNITUDES[magnitude - 1]}`;
  return head + tail(value - mantissa * factor, ordinal);
}

function tail(rest: number, ordinal: boolean): string {
  if (rest > 0) return words(rest, 'and', ordinal);
  return ordinal ? 'th' : '';
}

function below100(value: number, ordinal: boolean): string {
  if (value < 20) return (ordinal ? SMALL_ORDINALS : SMALL)[value] ?? '';
  const ten = TENS[Math.floor(value / 10) - 2] ?? '';
  const rest = value % 10;
  if (rest > 0) return `${ten}-${below100(rest, ordinal)}`;
  return ordinal ? `${ten.slice(0, -1)}ieth` : ten;
}

const VALUES: ReadonlyMap<string, number> = wordValues();

function wordValues(): Map<string, number> {
  const values = new Map<string, number>();
  SMALL.forEach((word, value) => {
    values.set(word.toLowerCase(), value);
  });
  SMALL_ORDINALS.forEach((word, value) => {
    values.set(word.toLowerCase(), value);
  });
  TENS.forEach((word, index) => {
    values.set(word.toLowerCase(), (index + 2) * 10);
    values.set(`${word.slice(0, -1).toLowerCase()}ieth`, (index + 2) * 10);
  });
  values.set('hundredth', 100);
  MAGNITUDES.forEach((word, index) => {
    values.set(word.toLowerCase(), 10 ** (index * 3 + 3));
    values.set(`${word.toLowerCase()}th`, 10 ** (index * 3 + 3));
  });
  return values;
}

/** Every word of a number, for recognition. */
export const NUMBER_WORDS: readonly string[] = [...VALUES.keys()];

/** Parses English number words. */
export function fromWords(text: string): number {
  const sums = [0];
  for (const part of text.split(/,\s|\sand\s|[\s\\-]/)) {
    const value = VALUES.get(part) ?? Number.NaN;
    const last = sums.pop() ?? 0;
    if (!(value < 100)) {
      sums.push(last * value);
    } else if (last >= 1000) {
      sums.push(last, value);
    } else {
      sums.push(last + value);
    }
  }
  return sums.reduce((sum, each) => sum + each, 0);
}

const ROMAN: readonly (readonly [value: number, letters: string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** Writes a Roman numeral in lower case. */
export function toRoman(value: number): string {
  let rest = value;
  let text = '';
  for (const [worth, letters] of ROMAN) {
    const times = Math.floor(rest / worth);
    text += letters.repeat(times);
    rest -= times * worth;
  }
  return text;
}

const ROMAN_DIGITS: Readonly<Record<string, number>> = { M: 1000, D: 500, C: 100, L: 50, X: 10, V: 5, I: 1 };

/** Parses a Roman numeral in upper case. */
export function fromRoman(text: string): number {
  let sum = 0;
  let highest = 1;
  for (const digit of [...text].reverse()) {
    const value = ROMAN_DIGITS[digit] ?? Number.NaN;
    if (value < highest) sum -= value;
    else {
      highest = value;
      sum += value;
    }
  }
  return sum;
}

/** Writes a number like a spreadsheet column: a, b, ... z, aa. `first` is the letter for 1. */
export function toLetters(value: number, first: string): string {
  const base = first.charCodeAt(0);
  let letters = '';
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(((rest - 1) % 26) + base) + letters;
  }
  return letters;
}

/** Parses the letters of a spreadsheet column. */
export function fromLetters(letters: string, first: string): number {
  const base = first.charCodeAt(0);
  let value = 0;
  for (let i = 0; i < letters.length; i++) {
    value += (letters.charCodeAt(letters.length - i - 1) - base + 1) * 26 ** i;
  }
  return value;
}
