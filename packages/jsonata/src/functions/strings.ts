import type { Quick } from '../runtime/callable.ts';
import { SLOW } from '../runtime/fields.ts';
import type { Budget } from '../runtime/limits.ts';
import { characterCount, sliceCharacters, toText } from '../runtime/text.ts';
import { type Builtin, unlessMissing } from './builtin.ts';

/** Maximum length of a text whose cost is not counted, UTF-16 units. */
const MAX_FREE_LENGTH = 256;

/** Makes the fast path of a function of two short texts. */
function textQuick(compute: (text: string, mark: string) => string): Quick {
  return {
    arity: 2,
    call: (text, mark) =>
      typeof text === 'string' && typeof mark === 'string' && text.length < MAX_FREE_LENGTH
        ? compute(text, mark)
        : SLOW,
  };
}

const SURROGATE = /[\ud800-\udfff]/;

function substring(text: string, from: number, length: number | undefined): string {
  const isPlain = !SURROGATE.test(text);
  const size = isPlain ? text.length : characterCount(text);
  const start = size + from < 0 ? 0 : from;
  if (length !== undefined && length <= 0) return '';
  const end = length === undefined ? undefined : start >= 0 ? start + length : size + start + length;
  return isPlain
    ? text.slice(start, end)
    : sliceCharacters(text, clampPosition(start, size), clampPosition(end ?? size, size));
}

/** Normalises a position like `slice` does: an integer, from the end if negative, within the text. */
function clampPosition(position: number, size: number): number {
  const whole = Math.trunc(position);
  return whole < 0 ? Math.max(0, size + whole) : Math.min(whole, size);
}

function before(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(0, at);
}

function after(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(at + mark.length);
}

function trim(text: string): string {
  const single = text.replace(/[ \t\n\r]+/g, ' ');
  const start = single.startsWith(' ') ? 1 : 0;
  return single.slice(start, single.length > start && single.endsWith(' ') ? -1 : undefined);
}

function pad(text: string, width: number, options: { filler: string | undefined; budget: Budget }): string {
  const filler = options.filler || ' ';
  const missing = Math.abs(Math.trunc(width)) - characterCount(text);
  if (!(missing > 0)) return text;
  options.budget.spendText(text.length + missing * 2);
  let padding = filler.repeat(missing);
  if (filler.length > 1) padding = substring(padding.slice(0, missing * 2), 0, missing);
  return width > 0 ? text + padding : padding + text;
}

function join(parts: readonly string[], separator: string, budget: Budget): string {
  let length = 0;
  for (const part of parts) length += part.length + separator.length;
  budget.spendText(length);
  return parts.join(separator);
}

export const strings: readonly Builtin[] = [
  {
    name: 'string',
    signature: '<x-b?:s>',
    summary:
      'Converts a value to a string: JSON for arrays and objects, indented if the second argument is true.',
    arity: 1,
    body: ([value, indented], { frame }) =>
      value === undefined ? undefined : toText(value, frame.run.budget, indented ? 2 : 0),
    quick: {
      arity: 1,
      call: (value) =>
        typeof value === 'string' ? value : Number.isSafeInteger(value) && value !== 0 ? String(value) : SLOW,
    },
  },
  {
    name: 'substring',
    signature: '<s-nn?:s>',
    summary:
      'Returns the characters from a position, up to a length. A negative position counts from the end.',
    arity: 3,
    body: unlessMissing<string>((text, [, from, length]) =>
      substring(text, from as number, length as number | undefined),
    ),
    quick: {
      arity: 3,
      call: (text, from, length) =>
        typeof text === 'string' &&
        text.length < MAX_FREE_LENGTH &&
        typeof from === 'number' &&
        typeof length === 'number'
          ? substring(text, from, length)
          : SLOW,
    },
  },
  {
    name: 'substringBefore',
    signature: '<s-s:s>',
    summary: 'Returns the text before the first occurrence of another string.',
    arity: 2,
    body: unlessMissing<string>((text, [, mark]) => before(text, String(mark))),
    quick: textQuick(before),
  },
  {
    name: 'substringAfter',
    signature: '<s-s:s>',
    summary: 'Returns the text after the first occurrence of another string.',
    arity: 2,
    body: unlessMissing<string>((text, [, mark]) => after(text, String(mark))),
    quick: textQuick(after),
  },
  {
    name: 'lowercase',
    signature: '<s-:s>',
    summary: 'Converts all letters to lower case.',
    arity: 1,
    body: unlessMissing<string>((text) => text.toLowerCase()),
    quick: {
      arity: 1,
      call: (text) => (typeof text === 'string' && text.length < MAX_FREE_LENGTH ? text.toLowerCase() : SLOW),
    },
  },
  {
    name: 'uppercase',
    signature: '<s-:s>',
    summary: 'Converts all letters to upper case.',
    arity: 1,
    body: unlessMissing<string>((text) => text.toUpperCase()),
    quick: {
      arity: 1,
      call: (text) => (typeof text === 'string' && text.length < MAX_FREE_LENGTH ? text.toUpperCase() : SLOW),
    },
  },
  {
    name: 'length',
    signature: '<s-:n>',
    summary: 'Returns the number of characters of a string.',
    arity: 1,
    body: unlessMissing<string>((text) => characterCount(text)),
    quick: {
      arity: 1,
      call: (text) =>
        typeof text === 'string' && text.length < MAX_FREE_LENGTH ? characterCount(text) : SLOW,
    },
  },
  {
    name: 'trim',
    signature: '<s-:s>',
    summary:
      'Removes white space at both ends and replaces each sequence of white space inside by one space.',
    arity: 1,
    body: unlessMissing<string>((text) => trim(text)),
    quick: {
      arity: 1,
      call: (text) => (typeof text === 'string' && text.length < MAX_FREE_LENGTH ? trim(text) : SLOW),
    },
  },
  {
    name: 'pad',
    signature: '<s-ns?:s>',
    summary: 'Pads a string to a width: on the right or, if the width is negative, on the left.',
    arity: 3,
    body: unlessMissing<string>((text, [, width, filler], { frame }) =>
      pad(text, width as number, { filler: filler as string | undefined, budget: frame.run.budget }),
    ),
  },
  {
    name: 'join',
    signature: '<a<s>s?:s>',
    summary: 'Joins the strings of an array, with a separator between them.',
    arity: 2,
    body: unlessMissing<string[]>((parts, [, separator], { frame }) =>
      join(parts, (separator as string | undefined) ?? '', frame.run.budget),
    ),
  },
];
