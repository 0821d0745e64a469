import { FUNCTIONS } from './library.ts';

const SIGNATURES: ReadonlyMap<string, string> = new Map(
  FUNCTIONS.map(({ name, signature }) => [name, signature]),
);

/** Returns whether a call of a built-in function with so many arguments takes its context value as one. */
export function takesContext(name: string, count: number): boolean {
  const signature = SIGNATURES.get(name) ?? '';
  const [parameters = ''] = signature
    .slice(1, -1)
    .replace(/<[^<>]*>/g, '')
    .split(':');
  if (!parameters.includes('-')) return false;
  const all: string[] = parameters.replace(/\(\w*\)/g, 'x').match(/[a-z][-?+]*/g) ?? [];
  return count < all.filter((each) => !each.includes('?')).length;
}
