import { type Code, call, code, literal, operand } from './code.ts';
import { formatted } from './dates.ts';
import { UntranslatableError } from './untranslatable-error.ts';
import { type Arguments, fieldOf, printable } from './values.ts';

/** Translates the call of a method. `field` is the code of the field that `get` names, where it is one of a variable. */
type Method = (object: Code, given: Arguments, field?: Code) => Code;

/** Returns a text of the template itself. @throws UntranslatableError for a computed one */
export function constantText(value: Code | undefined, what: string): string {
  if (typeof value?.constant === 'string') return value.constant;
  throw new UntranslatableError(`${what} that is computed`);
}

function requireCount({ given, named }: Arguments, least: number, most: number): void {
  if (named.size > 0 || given.length < least || given.length > most)
    throw new UntranslatableError('a call with other arguments');
}

const get: Method = (object, given, known) => {
  requireCount(given, 1, 2);
  const [key, given1 = literal(null)] = given.given as [Code, Code?];
  const otherwise = printable(given1);
  if (known?.type === 'missing') return otherwise;
  if (known?.constant !== undefined && known.constant !== null) return known;
  const field =
    known ??
    (typeof key.constant === 'string'
      ? fieldOf(object, key.constant)
      : call(`$field(${object.source}, ${key.source})`, 'any'));
  const type = field.type === otherwise.type ? field.type : 'any';
  return { source: `(${field.source} ?? ${operand(otherwise)})`, type, isSimple: true };
};

const split: Method = ({ source }, given) => {
  requireCount(given, 0, 1);
  const [separator] = given.given;
  const parts =
    separator === undefined
      ? `$split($strip(${source}), /\\s+/)`
      : `$split(${source}, ${JSON.stringify(constantText(separator, 'a separator'))})`;
  return { ...call(parts, 'list'), itemType: 'text' };
};

/** Returns a method that replaces the ends of a text. */
function stripping(ends: readonly string[]): Method {
  return ({ source }, given) => {
    requireCount(given, 0, 1);
    const [characters] = given.given;
    const set =
      characters === undefined
        ? '\\s'
        : `[${constantText(characters, 'characters').replace(/[\\\]^/-]/g, '\\$&')}]`;
    const text = ends.reduce(
      (inner, end) => `$replace(${inner}, /${end === '^' ? `^${set}+` : `${set}+$`}/, "")`,
      source,
    );
    return call(text, 'text');
  };
}

const strftime: Method = (object, { given }) => {
  if (object.type !== 'instant' && object.type !== 'day')
    throw new UntranslatableError('the date of a computed value');
  return formatted(object, constantText(given[0], 'a date format'));
};

const isoformat: Method = (object, { given }) => {
  if (object.type === 'day') return formatted(object, '%Y-%m-%d');
  if (object.type !== 'instant') throw new UntranslatableError('the date of a computed value');
  const separator = given[0] ? constantText(given[0], 'a separator') : 'T';
  const precision = given[1] ? constantText(given[1], 'a precision') : 'microseconds';
  const fraction = { seconds: '', milliseconds: '.[f001]', microseconds: '.[f001]000' }[precision];
  if (fraction === undefined || separator.length !== 1) throw new UntranslatableError('a precision of dates');
  return call(
    `$fromMillis(${object.source}, ${JSON.stringify(`[Y0001]-[M01]-[D01]${separator}[H01]:[m01]:[s01]${fraction}+00:00`)})`,
    'text',
  );
};

/** The methods that can be translated, by name. */
export const METHODS: Readonly<Record<string, Method>> = {
  get,
  split,
  strftime,
  isoformat,
  strip: stripping(['^', '$']),
  lstrip: stripping(['^']),
  rstrip: stripping(['$']),
  join: (separator, given) => {
    requireCount(given, 1, 1);
    return call(`$join(${given.given[0]?.source}, ${separator.source})`, 'text');
  },
  replace: ({ source }, given) => {
    requireCount(given, 2, 2);
    const [from, to] = given.given as [Code, Code];
    if (from.constant === '') throw new UntranslatableError('an empty text that is replaced');
    return call(`$replace(${source}, ${from.source}, ${to.source})`, 'text');
  },
  lower: ({ source }) => call(`$lowercase(${source})`, 'text'),
  upper: ({ source }) => call(`$uppercase(${source})`, 'text'),
  startswith: ({ source }, { given }) => {
    const start = constantText(given[0], 'a start');
    return code(`$substring(${source}, 0, ${start.length}) = ${JSON.stringify(start)}`, 'boolean');
  },
  endswith: ({ source }, { given }) => {
    const end = constantText(given[0], 'an end');
    return code(`$substring(${source}, -${end.length}) = ${JSON.stringify(end)}`, 'boolean');
  },
  keys: ({ source }) => ({ ...call(`[$keys(${source})]`, 'list'), itemType: 'text' }),
  values: (object) => call(`[${operand(object)}.*]`, 'list'),
};
