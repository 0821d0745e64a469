import { FUNCTIONS } from '@datadeck/jsonata';
import { itemsOf, type Kind, listOf, type Shape, shapeOfKinds, unionOf } from './shape.ts';
import type { SyntaxNode } from './tree.ts';

/** A function that is an argument of a call, such as the second one of `$map`. */
export interface Callback {
  /** Index of the argument. */
  readonly index: number;
  readonly node: SyntaxNode;
}

/** Infers the result of the callback at an argument index from the shapes of its parameters, and records its types. */
type InferCallback = (index: number, parameters: readonly (Shape | undefined)[]) => Shape | undefined;

const KINDS: Readonly<Record<string, Kind>> = { s: 'text', n: 'number', b: 'boolean' };
/** Signatures by function name without `$`, e.g. `<a<n>:n>` for `sum`. */
const SIGNATURES: ReadonlyMap<string, string> = new Map(
  FUNCTIONS.map(({ name, signature }) => [name, signature]),
);

/** Returns the shape of the result that a function's signature declares; undefined if unknown. */
function declaredResult(name: string): Shape | undefined {
  const result = /:(\w)(?:<(\w)>)?>$/.exec(SIGNATURES.get(name) ?? '');
  if (!result) return undefined;
  const [, kind = '', item = ''] = result;
  const single = KINDS[kind === 'a' ? item : kind];
  return single && shapeOfKinds([single], kind === 'a');
}

const INDEX = shapeOfKinds(['number']);

/**
 * Returns the shape of a library function's result for arguments of these shapes; undefined if unknown. Calls
 * `inferCallback` even when the result does not depend on it, so that the callback's types are recorded.
 */
export function resultOf(
  name: string,
  args: readonly (Shape | undefined)[],
  inferCallback: InferCallback,
): Shape | undefined {
  const [first, second] = args;
  const item = first && itemsOf(first);
  switch (name) {
    case 'map': {
      const mapped = inferCallback(1, [item, INDEX, first]);
      return mapped && listOf(mapped);
    }
    case 'filter':
      inferCallback(1, [item, INDEX, first]);
      return first && listOf(first);
    case 'single':
      inferCallback(1, [item, INDEX, first]);
      return item;
    case 'sort':
      inferCallback(1, [item, item]);
      return first && listOf(first);
    case 'reduce':
      return inferCallback(1, [args[2] ?? item, item, INDEX]);
    case 'each': {
      const result = inferCallback(1, [anyField(first), shapeOfKinds(['text'])]);
      return result && listOf(result);
    }
    case 'sift':
      inferCallback(1, [anyField(first), shapeOfKinds(['text'])]);
      return first && { ...itemsOf(first), isOpen: true };
    case 'reverse':
    case 'shuffle':
    case 'distinct':
    case 'append': {
      const all = name === 'append' ? unionOf(first, second) : first;
      return all && listOf(all);
    }
    case 'clone':
      return first;
    case 'merge':
      return item;
    default:
      return declaredResult(name);
  }
}

/** Returns the union of an object's fields; undefined if there may be unknown fields. */
function anyField(shape: Shape | undefined): Shape | undefined {
  if (!shape || shape.isOpen) return undefined;
  const [head, ...rest] = shape.fields.values();
  return head && rest.reduce<Shape | undefined>(unionOf, head);
}
