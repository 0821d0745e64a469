/** Shown instead of a table or list when all rows are empty objects. */
export function NoFields() {
  return <p className="px-4 py-6 text-center text-13 text-ink-3">These results have no fields.</p>;
}
