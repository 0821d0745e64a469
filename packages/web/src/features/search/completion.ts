import {
  findSearchOperator,
  SEARCH_LIMITS,
  SEARCH_OPERATOR_NAMES,
  SEARCH_OPERATORS,
  type SearchOperator,
  type SearchOperatorName,
} from '@datadeck/contract';
import { writeFilter } from './search-text.ts';

/** The part of a search's text at the cursor that can be completed; offsets are UTF-16 units. */
export interface CompletionPart {
  /** The operator whose value is typed; undefined while the operator itself is typed. */
  operator?: SearchOperatorName;
  typed: string;
  from: number;
  to: number;
}

export interface Completion {
  /** What replaces the part. */
  insert: string;
  label: string;
  description: string;
  /** True for a value; false for an operator, whose value follows. */
  isFinal: boolean;
}

/** Number of shown completions. */
const MAX_COMPLETIONS = 8;

const QUOTE = /["“”„]/;

/** Returns where the word at the cursor begins; blanks and brackets within quotation marks belong to it. */
function startOfWord(head: string): number {
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index < head.length; index++) {
    const char = head.charAt(index);
    if (QUOTE.test(char)) isQuoted = !isQuoted;
    else if (!isQuoted && /[\s(){}]/.test(char)) start = index + 1;
  }
  return head.charAt(start) === '-' ? start + 1 : start;
}

/** Returns what is typed at the cursor; undefined within a word and where nothing can be completed. */
export function completionPart(text: string, cursor: number): CompletionPart | undefined {
  if (text.length > SEARCH_LIMITS.text) return undefined;
  const head = text.slice(0, cursor);
  const from = startOfWord(head);
  const word = head.slice(from);
  const closing = QUOTE.test(text.charAt(cursor)) && QUOTE.test(word) ? 1 : 0;
  const next = text.charAt(cursor + closing);
  if (word === '' || (next !== '' && !/[\s)}]/.test(next))) return undefined;
  const colon = word.indexOf(':');
  if (colon < 0) return /^[a-z_\d]+$/i.test(word) ? { typed: word, from, to: cursor } : undefined;
  const operator = findSearchOperator(word.slice(0, colon));
  if (operator === undefined) return undefined;
  const typed = word.slice(colon + 1).replace(/^["“”„]/, '');
  // A closed phrase is finished.
  return QUOTE.test(typed) ? undefined : { operator, typed, from, to: cursor + closing };
}

const AGES = [
  ['7d', '7 days'],
  ['1m', '30 days'],
  ['3m', '90 days'],
  ['1y', '365 days'],
] as const;

const SIZES = [
  ['100K', '100 KB'],
  ['1M', '1 MB'],
  ['5M', '5 MB'],
  ['20M', '20 MB'],
] as const;

/** Returns the values that an operator offers without the server, with descriptions. */
function fixedValues(
  operator: SearchOperatorName,
  today: string,
): (readonly [value: string, description: string])[] {
  const { kind, values = [] }: SearchOperator = SEARCH_OPERATORS[operator];
  if (kind === 'choice') return values.map((value) => [value, '']);
  if (kind === 'age') return [...AGES];
  if (kind === 'size') return [...SIZES];
  if (kind !== 'date') return [];
  return [
    ['today', ''],
    ['yesterday', ''],
    [today, 'Today'],
    [today.slice(0, 7), 'This month'],
    [today.slice(0, 4), 'This year'],
  ];
}

/** Kinds of values that find nothing before they are complete. */
const WHOLE_VALUES = ['choice', 'name', 'account'];

/**
 * Returns whether Enter takes the first completion of a part: a part of a name or a choice would find nothing. Part of a word, e.g.
 * `from:am`, is a search of its own.
 * @param known values from the server
 */
export function isIncomplete({ operator, typed }: CompletionPart, known: readonly string[]): boolean {
  if (operator === undefined || typed === '') return false;
  const { kind, values = [] }: SearchOperator = SEARCH_OPERATORS[operator];
  const isKnown = [...values, ...known].some((value) => value.toLowerCase() === typed.toLowerCase());
  return WHOLE_VALUES.includes(kind) && !isKnown;
}

const startsWith = (text: string, part: string) => text.toLowerCase().startsWith(part.toLowerCase());

function valuesOf(
  { operator, typed }: CompletionPart & { operator: SearchOperatorName },
  known: readonly string[],
  today: string,
): Completion[] {
  const fixed = fixedValues(operator, today).filter(([value]) => startsWith(value, typed));
  const found = known.map((value) => [value, ''] as const);
  return [...fixed, ...found]
    .filter(([value]) => value.toLowerCase() !== typed.toLowerCase())
    .map(([value, description]) => ({
      insert: `${writeFilter(operator, value)} `,
      label: value,
      description,
      isFinal: true,
    }));
}

/**
 * Lists the completions of a part: operators that begin with it, or values of its operator.
 * @param known values from the server @param today the day in the user's time zone, e.g. `2026-11-25`
 */
export function completionsOf(part: CompletionPart, known: readonly string[], today: string): Completion[] {
  const { operator, typed } = part;
  if (operator !== undefined) return valuesOf({ ...part, operator }, known, today).slice(0, MAX_COMPLETIONS);
  return SEARCH_OPERATOR_NAMES.filter((name) => startsWith(name, typed))
    .slice(0, MAX_COMPLETIONS)
    .map((name) => ({
      insert: `${name}:`,
      label: `${name}:`,
      description: SEARCH_OPERATORS[name].description,
      isFinal: false,
    }));
}
