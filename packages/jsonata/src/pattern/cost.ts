import type { Tree } from './syntax.ts';

/**
 * An upper bound on the ways in which a backtracking engine can try to match at one position of a text of `length`
 * units: infinite when repetitions are nested so that it may grow exponentially.
 */
export function waysToMatch(tree: Tree, length: number): number {
  switch (tree.kind) {
    case 'atom':
    case 'assertion':
      return 1;
    case 'group':
      return waysToMatch(tree.body, length);
    case 'sequence':
      return tree.items.reduce((ways, item) => ways * waysToMatch(item, length), 1);
    case 'choice':
      return tree.options.reduce((ways, option) => ways + waysToMatch(option, length), 0);
    default: {
      const inner = waysToMatch(tree.body, length);
      if (tree.most <= 1) return tree.least === 1 ? inner : inner + 1;
      if (inner > 1) return Number.POSITIVE_INFINITY;
      return Number.isFinite(tree.most) ? tree.most - tree.least + 1 : length + 1;
    }
  }
}
