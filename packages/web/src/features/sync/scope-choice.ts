import type { ScopeChoice, ScopeChoices } from '@datadeck/contract';
import { parsePattern } from './source-words.ts';

type Pattern = ScopeChoices['patterns'][number];

/** The scopes of one owner in the picker, below the patterns that choose many of them. */
export interface ChoiceGroup {
  /** The owner; empty for scopes without owners. */
  name: string;
  patterns: Pattern[];
  choices: ScopeChoice[];
}

const groupOf = (pattern: string) => parsePattern(pattern)?.group ?? '';

/** Removes patterns of a group that choose as many as its first or last one, which stay. */
function withoutEqual(patterns: readonly Pattern[], chosen: readonly string[]): Pattern[] {
  const [first, last] = [patterns[0], patterns.at(-1)];
  return patterns.filter(
    (one) =>
      one === first ||
      one === last ||
      chosen.includes(one.pattern) ||
      (one.count !== first?.count && one.count !== last?.count),
  );
}

/**
 * Groups the listed scopes by owner, in the order of their first scope. Owners without a listed scope follow, if their names
 * match the search.
 */
export function groupChoices(
  { results, patterns }: Pick<ScopeChoices, 'results' | 'patterns'>,
  { search, chosen }: { search: string; chosen: readonly string[] },
): ChoiceGroup[] {
  const wanted = search.trim().toLowerCase();
  const others = patterns.map(({ pattern }) => groupOf(pattern));
  const names = new Set([
    ...results.map(({ group }) => group),
    ...others.filter((name) => wanted === '' || (name !== '' && name.toLowerCase().includes(wanted))),
  ]);
  return [...names].map((name) => ({
    name,
    patterns: withoutEqual(
      patterns.filter(({ pattern }) => groupOf(pattern).toLowerCase() === name.toLowerCase()),
      chosen,
    ),
    choices: results.filter(({ group }) => group === name),
  }));
}

/** Returns whether one of the chosen patterns selects a scope. */
export function isCovered(choice: ScopeChoice, chosen: readonly string[]): boolean {
  return chosen.some((text) => {
    const pattern = parsePattern(text);
    if (!pattern || pattern.group.toLowerCase() !== choice.group.toLowerCase()) return false;
    const { leftOut } = pattern;
    return !(
      (choice.isFork && leftOut.includes('-forks')) ||
      (choice.isArchived && leftOut.includes('-archived')) ||
      (choice.isTrash && leftOut.includes('-trash'))
    );
  });
}

/** Counts the scopes that names and patterns mean now; of a group, the pattern that selects most of them counts. */
export function countChosen(
  chosen: readonly string[],
  { results, patterns }: Pick<ScopeChoices, 'results' | 'patterns'>,
): number {
  const byGroup = new Map<string, number>();
  let names = 0;
  for (const text of chosen) {
    const pattern = parsePattern(text);
    if (pattern) {
      const count = patterns.find((one) => one.pattern === text)?.count ?? 0;
      byGroup.set(pattern.group, Math.max(byGroup.get(pattern.group) ?? 0, count));
    } else {
      const choice = results.find(({ name }) => name === text);
      if (!choice || !isCovered(choice, chosen)) names++;
    }
  }
  return names + [...byGroup.values()].reduce((sum, count) => sum + count, 0);
}
