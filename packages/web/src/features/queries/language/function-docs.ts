import { FUNCTIONS } from '@datadeck/jsonata';
import { EXAMPLES } from './function-examples.ts';

export interface FunctionDoc {
  /** With the `$`. */
  readonly name: string;
  /** Readable: `(text, number?) → text`. */
  readonly signature: string;
  readonly summary: string;
  /** Expression and what it gives. */
  readonly example: readonly [string, string] | undefined;
}

export interface Parameter {
  /** Letters of the kinds that it takes: `s`, `n`, `b`, `l`, `a`, `o`, `f`, `x`, `j`. */
  readonly kinds: string;
  /** Letters of the items of a list. */
  readonly items: string;
  readonly isOptional: boolean;
  /** The context stands in when it is left out. */
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

/** The words for the letters of a signature. */
export function wordsOf(letters: string): string {
  return [...letters].map((letter) => WORDS[letter] ?? letter).join(' or ');
}

/** The parameters of a signature such as `<s-nn?:s>`. */
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

/** All functions of the library, by name with the `$`. */
export const FUNCTION_DOCS: ReadonlyMap<string, FunctionDoc> = new Map(
  FUNCTIONS.map(({ name, signature, summary }) => [
    `$${name}`,
    { name: `$${name}`, signature: readable(signature), summary, example: EXAMPLES[name] },
  ]),
);

/** Parameters of the functions of the library, by name without the `$`. */
export const PARAMETERS: ReadonlyMap<string, readonly Parameter[]> = new Map(
  FUNCTIONS.map(({ name, signature }) => [name, parametersOf(signature)]),
);
