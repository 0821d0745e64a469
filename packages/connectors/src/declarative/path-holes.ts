import { ProviderError } from '../sdk/index.ts';

/** Returns the index of the bracket that closes the one at `start`, outside of quotes; -1 without one. */
function closingAt(path: string, start: number): number {
  let depth = 0;
  let quote = '';
  for (let index = start; index < path.length; index++) {
    const character = path[index] ?? '';
    if (quote !== '') {
      if (character === '\\') index++;
      else if (character === quote) quote = '';
    } else if (`"'\``.includes(character)) quote = character;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return index;
  }
  return -1;
}

/** Splits a path into texts and holes, which alternate. @throws SyntaxError for a bracket without its other one */
function splitPath(path: string): { texts: string[]; holes: string[] } {
  const texts: string[] = [];
  const holes: string[] = [];
  for (let from = 0; ; ) {
    const start = path.indexOf('{', from);
    if (start < 0) return { texts: [...texts, path.slice(from)], holes };
    const end = closingAt(path, start);
    if (end < 0) throw new SyntaxError('A hole of the path has no end.');
    texts.push(path.slice(from, start));
    holes.push(path.slice(start + 1, end));
    from = end + 1;
  }
}

/** Returns the expressions in the holes of a path: `/projects/{settings.project}` has `settings.project`. @throws SyntaxError */
export function pathExpressions(path: string): string[] {
  return splitPath(path).holes;
}

/**
 * Replaces each hole of a path with its value, encoded as one part of an address.
 * @throws ProviderError `invalid` for a value that is empty, or that leads to another path (`..`)
 */
export function fillPath(path: string, values: readonly string[], what: string): string {
  const { texts, holes } = splitPath(path);
  const parts = holes.map((hole, index) => {
    const value = values[index] ?? '';
    if (value === '' || /^\.{1,2}$/.test(value) || !value.isWellFormed())
      throw new ProviderError('invalid', `The address of ${what} needs a value for “${hole.trim()}”.`);
    return encodeURIComponent(value);
  });
  return texts.map((text, index) => text + (parts[index] ?? '')).join('');
}
