import type { Category, View } from '../../api/models.ts';

export interface ViewGroup {
  /** Null for views without a category. */
  category: Category | null;
  views: View[];
}

/** Groups views by category, in the order of the categories; uncategorised views come last. Omits empty categories. */
export function groupViews(views: readonly View[], categories: readonly Category[]): ViewGroup[] {
  const known = new Set(categories.map(({ id }) => id));
  const groups: ViewGroup[] = categories.map((category) => ({
    category,
    views: views.filter((view) => view.category === category.id),
  }));
  const rest = views.filter(({ category }) => category === null || !known.has(category));
  return [...groups, { category: null, views: rest }].filter((group) => group.views.length > 0);
}
