/** People's order: "View 2" before "View 10", accents beside their letters, whatever the case. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The same items in the order of their titles. */
export function byTitle<Item extends { title: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => collator.compare(a.title, b.title));
}
