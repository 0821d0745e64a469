/** Stands for rows of which none has a field: objects that are empty. */
export function NoFields() {
  return <p className="px-4 py-6 text-center text-13 text-ink-3">None of these results has a field.</p>;
}
