/** Natural order: "View 2" before "View 10", accented letters next to plain ones, case ignored. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Returns a copy of the items, sorted by title. */
export function byTitle<Item extends { title: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => collator.compare(a.title, b.title));
}
