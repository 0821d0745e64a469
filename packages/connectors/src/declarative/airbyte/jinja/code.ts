import { UntranslatableError } from './untranslatable-error.ts';

/** What is known of a value before it is there. `float` prints with a decimal point; `any` may be each of JSON’s types, or missing. */
export type CodeType =
  | 'text'
  | 'number'
  | 'float'
  | 'boolean'
  | 'null'
  | 'missing'
  | 'list'
  | 'object'
  | 'instant'
  | 'day'
  | 'any';

/** A length of time: months differ in length. */
export interface Duration {
  months: number;
  ms: number;
}

/** A JSONata expression and what it yields. An instant or a day is in milliseconds since 1970. */
export interface Code {
  source: string;
  type: CodeType;
  /** The value of a literal. */
  constant?: string | number | boolean | null;
  /** Source of its truth, if it is simpler than that of its value. */
  truth?: string;
  /** Source of the text that it prints, if that is other than the text of its value. */
  text?: string;
  /** Items of a list that the template itself has. */
  items?: readonly Code[];
  /** Type of the items of a list, if all have the same. */
  itemType?: CodeType;
  /** The length of time that a call of `duration` yields. */
  duration?: Duration;
  /** Whether the source is a name, a path, a literal or a call, which needs no parentheses. */
  isSimple?: boolean;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Words that JSONata reads as operators where a name may be. */
const OPERATORS = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function']);

/** Returns a name as a step of a path. */
export function stepOf(name: string): string {
  return NAME.test(name) && !OPERATORS.has(name) ? name : `\`${name.replaceAll('`', '')}\``;
}

export const code = (source: string, type: CodeType): Code => ({ source, type });
export const call = (source: string, type: CodeType): Code => ({ source, type, isSimple: true });

/** Returns the literal of a value. */
export function literal(value: string | number | boolean | null): Code {
  const type = value === null ? 'null' : (typeof value as 'string' | 'number' | 'boolean');
  return {
    source: JSON.stringify(value),
    type: type === 'string' ? 'text' : type,
    constant: value,
    isSimple: typeof value !== 'number' || value >= 0,
  };
}

/** Longest text that is joined of constants, UTF-16 units. */
const MAX_CONSTANT = 20_000;

/** Returns the literal of texts that follow each other. @throws UntranslatableError for one that would be too long */
export function joinedLiteral(texts: readonly string[]): Code {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > MAX_CONSTANT) throw new UntranslatableError('a text that is too long');
  return literal(texts.join(''));
}

/** What is not there: it prints as nothing. `$nothing` is never bound. */
export const MISSING: Code = { source: '$nothing', type: 'missing', isSimple: true };

/** Returns the source of an operand, in parentheses where an operator could reach into it. */
export function operand({ source, isSimple }: Code): string {
  return isSimple ? source : `(${source})`;
}

/** Returns the type of a value that is one of two. */
export function eitherType({ type }: Code, other: Code): CodeType {
  return type === other.type ? type : 'any';
}
