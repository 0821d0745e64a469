import { FUNCTIONS } from '@datadeck/jsonata';
import { EXAMPLES } from './function-examples.ts';

export interface FunctionDoc {
  /** Name with the `$`. */
  readonly name: string;
  /** Signature in readable form: `(text, number?) → text`. */
  readonly signature: string;
  readonly summary: string;
  /** An expression and its result. */
  readonly example: readonly [string, string] | undefined;
}

export interface Parameter {
  /** Letters of the accepted kinds: `s`, `n`, `b`, `l`, `a`, `o`, `f`, `x`, `j`. */
  readonly kinds: string;
  /** Letters of the accepted kinds of list items. */
  readonly items: string;
  readonly isOptional: boolean;
  /** Whether the context is used when the argument is omitted. */
  readonly takesContext: boolean;
}

const WORDS: Readonly<Record<string, string>> = {
  s: 'text',
  n: 'number',
  b: 'boolean',
  l: 'null',
  a: 'list',
  o: 'object',
  f: 'function',
  x: 'anything',
  j: 'anything',
};

/** Returns the words for the letters of a signature. */
export function wordsOf(letters: string): string {
  return [...letters].map((letter) => WORDS[letter] ?? letter).join(' or ');
}

/** Returns the parameters of a signature such as `<s-nn?:s>`. */
export function parametersOf(signature: string): Parameter[] {
  const inner = signature.replace(/^<|>$/g, '').replace(/:[^:>]*(?:<[^<>]*>)?$/, '');
  return [...inner.matchAll(/(\([a-z]+\)|[a-z])(?:<((?:[^<>]|<[^<>]*>)*)>)?([-?+]?)/g)].map(
    ([, kinds = '', items = '', mark = '']) => ({
      kinds: kinds.replace(/[()]/g, ''),
      items: kinds === 'a' ? items : '',
      isOptional: mark === '?',
      takesContext: mark === '-',
    }),
  );
}

function wordOf({ kinds, items, isOptional }: Parameter): string {
  const word = items === '' ? wordsOf(kinds) : `list of ${wordsOf(items)}s`;
  return isOptional ? `${word}?` : word;
}

function readable(signature: string): string {
  const [result] = parametersOf(/:([a-z](?:<[a-z]>)?)>$/.exec(signature)?.[1] ?? 'x');
  const parameters = parametersOf(signature).map(wordOf).join(', ');
  return `(${parameters}) → ${result ? wordOf(result) : 'anything'}`;
}

/** The library's functions, by name with the `$`. */
export const FUNCTION_DOCS: ReadonlyMap<string, FunctionDoc> = new Map(
  FUNCTIONS.map(({ name, signature, summary }) => [
    `$${name}`,
    { name: `$${name}`, signature: readable(signature), summary, example: EXAMPLES[name] },
  ]),
);

/** The parameters of the library's functions, by name without the `$`. */
export const PARAMETERS: ReadonlyMap<string, readonly Parameter[]> = new Map(
  FUNCTIONS.map(({ name, signature }) => [name, parametersOf(signature)]),
);
