import { FUNCTIONS } from '@datadeck/jsonata';
import { either, itemsOf, type Kind, listOf, type Shape, simple } from './shape.ts';
import type { SyntaxNode } from './tree.ts';

export interface Definition {
  readonly at: number;
  readonly node: SyntaxNode;
}

/** Infers the result of a function argument, given the shapes of its parameters. */
type Run = (at: number, given: readonly (Shape | undefined)[]) => Shape | undefined;

const KINDS: Readonly<Record<string, Kind>> = { s: 'text', n: 'number', b: 'boolean' };
const SIGNATURES: ReadonlyMap<string, string> = new Map(
  FUNCTIONS.map(({ name, signature }) => [name, signature]),
);

/** Returns the shape of the result that a signature declares. */
function declared(name: string): Shape | undefined {
  const result = /:(\w)(?:<(\w)>)?>$/.exec(SIGNATURES.get(name) ?? '');
  if (!result) return undefined;
  const [, kind = '', item = ''] = result;
  const single = KINDS[kind === 'a' ? item : kind];
  return single && simple([single], kind === 'a');
}

const INDEX = simple(['number']);

/** Returns the shape of a library function's result for arguments of these shapes. */
export function resultOf(name: string, args: readonly (Shape | undefined)[], run: Run): Shape | undefined {
  const [first, second] = args;
  const item = first && itemsOf(first);
  switch (name) {
    case 'map': {
      const mapped = run(1, [item, INDEX, first]);
      return mapped && listOf(mapped);
    }
    case 'filter':
      run(1, [item, INDEX, first]);
      return first && listOf(first);
    case 'single':
      run(1, [item, INDEX, first]);
      return item;
    case 'sort':
      run(1, [item, item]);
      return first && listOf(first);
    case 'reduce':
      return run(1, [args[2] ?? item, item, INDEX]);
    case 'each': {
      const given = run(1, [anyField(first), simple(['text'])]);
      return given && listOf(given);
    }
    case 'sift':
      run(1, [anyField(first), simple(['text'])]);
      return first && { ...itemsOf(first), isOpen: true };
    case 'reverse':
    case 'shuffle':
    case 'distinct':
    case 'append': {
      const all = name === 'append' ? either(first, second) : first;
      return all && listOf(all);
    }
    case 'clone':
      return first;
    case 'merge':
      return item;
    default:
      return declared(name);
  }
}

function anyField(shape: Shape | undefined): Shape | undefined {
  if (!shape || shape.isOpen) return undefined;
  const [head, ...rest] = shape.fields.values();
  return head && rest.reduce<Shape | undefined>(either, head);
}
