import type { ViewBase } from '@datadeck/contract';
import type { ListedView, View } from '../../api/models.ts';

/** What a view is computed from. The name is empty for the only base of a view. */
export type Source = ViewBase;

/** Returns the bases of a view. */
export function sourcesOf({ bases, ...view }: ListedView): readonly Source[] {
  if (bases.length > 0) return bases;
  const { providerId, entityLabel, basedOn, templateKey, search } = view;
  return [{ name: '', providerId, entityLabel, basedOn, templateKey, search, account: '' }];
}

const baseIdsOf = (view: ListedView) => sourcesOf(view).flatMap(({ basedOn }) => basedOn || []);

/** Returns whether all views on which the listed ones build are in the list, and not of other entities. */
export function hasAllBases(listed: readonly View[]): boolean {
  const ids = new Set(listed.map(({ id }) => id));
  return listed.flatMap(baseIdsOf).every((id) => ids.has(id));
}

/** Returns those views on which listed ones build, directly or indirectly, and that the list lacks. */
export function missingBases(listed: readonly View[], all: readonly View[]): View[] {
  const known = new Map(all.map((view) => [view.id, view]));
  const seen = new Set(listed.map(({ id }) => id));
  const missing: View[] = [];
  for (const queue = [...listed]; queue.length > 0; ) {
    for (const id of baseIdsOf(queue.pop() as View)) {
      const base = seen.has(id) ? undefined : known.get(id);
      if (!base) continue;
      seen.add(id);
      missing.push(base);
      queue.push(base);
    }
  }
  return missing;
}
