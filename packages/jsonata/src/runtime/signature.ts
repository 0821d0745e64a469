import type { Signature } from './callable.ts';
import { JsonataError } from './errors.ts';
import { isFunction } from './values.ts';

interface Parameter {
  /** The accepted type letters; `m` (missing) is always accepted. */
  letters: string;
  type: string;
  subtype: string | undefined;
  /** Whether the context value replaces an omitted argument. */
  fromContext: boolean;
  optional: boolean;
  repeated: boolean;
}

const PLURALS: Readonly<Record<string, string>> = {
  a: 'arrays',
  b: 'booleans',
  f: 'functions',
  n: 'numbers',
  o: 'objects',
  s: 'strings',
};

/** The type letters that a letter of a signature accepts. */
const ACCEPTS: Readonly<Record<string, string>> = {
  s: 'sm',
  n: 'nm',
  b: 'bm',
  l: 'lm',
  o: 'om',
  a: 'asnblfom',
  f: 'f',
  j: 'asnblom',
  x: 'asnblfom',
};

/** Returns the type letter of a value; `m` for a missing value. */
export function letterOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 's';
    case 'number':
      return 'n';
    case 'boolean':
      return 'b';
    case 'function':
      return 'f';
    case 'object':
      if (value === null) return 'l';
      if (Array.isArray(value)) return 'a';
      return isFunction(value) ? 'f' : 'o';
    default:
      return 'm';
  }
}

/** Compiles a signature such as `<s-nn?:s>`. @throws JsonataError S0401, S0402 (the reference parser reports them earlier) */
export function compileSignature(definition: string): Signature {
  const parameters = parseParameters(definition);
  const isSimple = parameters.every((parameter) => !parameter.repeated);
  const needed = parameters.findLastIndex((parameter) => !parameter.optional || parameter.fromContext) + 1;
  return (args, context) => {
    const given = args.length;
    if (isSimple && given >= needed && given <= parameters.length && fitsOneToOne(parameters, args))
      return args;
    return validate(parameters, args, context);
  };
}

function parseParameters(definition: string): Parameter[] {
  const parameters: Parameter[] = [];
  for (let at = 1; at < definition.length && definition[at] !== ':'; at++) {
    const symbol = definition[at] ?? '';
    const last = parameters.at(-1);
    if (symbol in ACCEPTS) {
      parameters.push(parameter(ACCEPTS[symbol] ?? '', symbol));
    } else if (symbol === '(') {
      const end = closing(definition, at, '()');
      const choice = definition.slice(at + 1, end);
      if (choice.includes('<')) throw new JsonataError('S0402', { value: choice });
      parameters.push(parameter(`${choice}m`, `(${choice})`));
      at = end;
    } else if (symbol === '<') {
      if (last?.type !== 'a' && last?.type !== 'f') throw new JsonataError('S0401', { value: last?.type });
      const end = closing(definition, at, '<>');
      last.subtype = definition.slice(at + 1, end);
      at = end;
    } else if (last !== undefined) {
      if (symbol === '-') last.fromContext = last.optional = true;
      if (symbol === '?') last.optional = true;
      if (symbol === '+') last.repeated = true;
    }
  }
  return parameters;
}

function parameter(letters: string, type: string): Parameter {
  return { letters, type, subtype: undefined, fromContext: false, optional: false, repeated: false };
}

function closing(text: string, start: number, brackets: string): number {
  let depth = 1;
  let at = start + 1;
  for (; at < text.length; at++) {
    if (text[at] === brackets[0]) depth++;
    else if (text[at] === brackets[1] && --depth === 0) break;
  }
  return at;
}

/** The common case: every argument has the right type and needs no conversion; optional ones may be missing. */
function fitsOneToOne(parameters: readonly Parameter[], args: readonly unknown[]): boolean {
  for (let i = 0; i < args.length; i++) {
    const { letters, type, subtype } = parameters[i] as Parameter;
    const arg = args[i];
    if (type === 'a') {
      if (!Array.isArray(arg)) return false;
      if (subtype !== undefined && !isArrayOf(arg, subtype)) return false;
    } else if (arg === undefined ? !letters.includes('m') : !letters.includes(letterOf(arg))) return false;
  }
  return true;
}

function isArrayOf(array: readonly unknown[], subtype: string): boolean {
  const letter = subtype.charAt(0);
  if (letter === 'n') {
    for (let i = 0; i < array.length; i++) if (typeof array[i] !== 'number') return false;
    return true;
  }
  for (let i = 0; i < array.length; i++) if (letterOf(array[i]) !== letter) return false;
  return true;
}

/**
 * Returns how many arguments each of the first `count` parameters takes, greedily, or null if they do not fit. Memoises
 * dead ends, so the work is at most parameters times arguments.
 */
function distribute(parameters: readonly Parameter[], letters: string, whole: boolean): number[] | null {
  const dead = new Set<number>();
  const counts: number[] = [];
  const step = (index: number, at: number): boolean => {
    const current = parameters[index];
    if (current === undefined) return !whole || at === letters.length;
    const key = index * (letters.length + 1) + at;
    if (dead.has(key)) return false;
    let most = 0;
    const limit = current.repeated ? letters.length - at : 1;
    while (most < limit && at + most < letters.length && current.letters.includes(letters.charAt(at + most)))
      most++;
    for (let taken = most; taken >= (current.optional ? 0 : 1); taken--) {
      counts[index] = taken;
      if (step(index + 1, at + taken)) return true;
    }
    dead.add(key);
    return false;
  };
  return step(0, 0) ? counts : null;
}

function validate(parameters: readonly Parameter[], args: unknown[], context: unknown): unknown[] {
  const letters = args.map(letterOf).join('');
  const counts = distribute(parameters, letters, true);
  if (counts === null) throw mismatch(parameters, args, letters);
  const valid: unknown[] = [];
  let at = 0;
  parameters.forEach((current, index) => {
    const count = counts[index] ?? 0;
    if (count === 0 && current.fromContext) {
      if (!current.letters.includes(letterOf(context))) {
        throw new JsonataError('T0411', { value: context, index: at + 1 });
      }
      valid.push(context);
      return;
    }
    const match = letters.slice(at, at + count);
    for (let taken = 0; taken < Math.max(count, 1); taken++, at++) {
      valid.push(current.type === 'a' && count > 0 ? toArray(current, match, { args, at, taken }) : args[at]);
    }
  });
  return valid;
}

/** Returns the argument of an array parameter; wraps a single value in an array. */
function toArray(
  { subtype }: Parameter,
  match: string,
  { args, at, taken }: { args: unknown[]; at: number; taken: number },
): unknown {
  const arg = args[at];
  const letter = match[taken];
  if (letter === 'm') return undefined;
  if (subtype !== undefined) {
    const fits = Array.isArray(arg) ? isArrayOf(arg, subtype) : match === subtype;
    if (!fits) throw new JsonataError('T0412', { value: arg, index: at + 1, type: PLURALS[subtype] });
  }
  return Array.isArray(arg) ? arg : [arg];
}

function mismatch(parameters: readonly Parameter[], args: unknown[], letters: string): JsonataError {
  let good = 0;
  for (let count = 1; count <= parameters.length; count++) {
    const counts = distribute(parameters.slice(0, count), letters, false);
    if (counts === null) break;
    good = counts.reduce((sum, taken) => sum + taken, 0);
  }
  return new JsonataError('T0410', { value: args[good], index: good + 1 });
}
