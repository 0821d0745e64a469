/** Rows that are looked at, and levels that are gone into. */
const SAMPLE = 20;
const DEPTH = 3;

/** Names of the fields that the rows have, at any of the first levels, for completion. */
export function fieldsOf(rows: readonly unknown[]): string[] {
  const names = new Set<string>();
  const visit = (value: unknown, depth: number) => {
    if (typeof value !== 'object' || value === null || depth > DEPTH) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, SAMPLE)) visit(item, depth);
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      names.add(name);
      visit(member, depth + 1);
    }
  };
  visit(rows.slice(0, SAMPLE), 1);
  return [...names].sort((a, b) => a.localeCompare(b));
}
