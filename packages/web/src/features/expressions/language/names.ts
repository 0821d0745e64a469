import { canBeQuoted } from '../../../ui/field-name.ts';

/** Returns the edit distance of two names: inserted, removed, changed or swapped letters. */
function distance(one: string, other: string): number {
  let older: number[] = [];
  let former = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let at = 1; at <= other.length; at++) {
      const change = one[row - 1] === other[at - 1] ? 0 : 1;
      let best = Math.min((former[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1, (former[at - 1] ?? 0) + change);
      const isSwap = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      if (isSwap) best = Math.min(best, (older[at - 2] ?? 0) + 1);
      current.push(best);
    }
    older = former;
    former = current;
  }
  return former[other.length] ?? 0;
}

/**
 * Returns the name with the smallest edit distance, ignoring case: at most a third of the letters, or one. A name that
 * begins with `name` or ends with `_name` (from three letters) has a distance of at most one.
 */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(name.length / 3)) + 0.5;
  for (const candidate of names) {
    if (!canBeQuoted(candidate)) continue;
    const known = candidate.toLowerCase();
    const isPart = wanted.length >= 3 && (known.startsWith(wanted) || known.endsWith(`_${wanted}`));
    const away = isPart ? Math.min(1, distance(wanted, known)) : distance(wanted, known);
    if (away < least) {
      least = away;
      best = candidate;
    }
  }
  return best;
}
