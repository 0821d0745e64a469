export interface Column {
  name: string;
  isNumeric: boolean;
  /** Some of its values are lists or objects. */
  isNested: boolean;
  read: (row: unknown) => unknown;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The columns of rows: fields of objects, preferred ones first, scalars before nested values; one column `value` for other rows. */
export function columnsOf(rows: readonly unknown[], preferred: readonly string[] = []): Column[] {
  if (!rows.some(isRecord))
    return [
      {
        name: 'value',
        isNumeric: rows.every((row) => typeof row === 'number'),
        isNested: false,
        read: (row) => row,
      },
    ];
  const samples = new Map<string, unknown[]>();
  for (const row of rows) {
    if (!isRecord(row)) continue;
    for (const [name, value] of Object.entries(row)) {
      if (value === null || value === undefined) {
        if (!samples.has(name)) samples.set(name, []);
      } else samples.set(name, [...(samples.get(name) ?? []), value]);
    }
  }
  const rank = (name: string) => {
    const wanted = preferred.indexOf(name);
    if (wanted >= 0) return wanted - preferred.length;
    return samples.get(name)?.some((value) => typeof value === 'object') ? 1 : 0;
  };
  return [...samples.keys()]
    .map((name, index) => ({ name, index }))
    .sort((a, b) => rank(a.name) - rank(b.name) || a.index - b.index)
    .map(({ name }) => {
      const values = samples.get(name) ?? [];
      return {
        name,
        isNumeric: values.length > 0 && values.every((value) => typeof value === 'number'),
        isNested: values.some((value) => typeof value === 'object'),
        read: (row: unknown) => (isRecord(row) ? row[name] : undefined),
      };
    });
}

/** Fields from which a row is taken for a whole record: nobody writes so many into an expression. */
const WHOLE_RECORD = 12;

/** What people look at first in rows that an expression gave: in whole records the preferred fields, else what the expression itself put first. */
export function preferredInResult(
  value: unknown,
  preferred: readonly string[],
): readonly string[] | undefined {
  const row: unknown = Array.isArray(value) ? value[0] : value;
  return isRecord(row) && Object.keys(row).length >= WHOLE_RECORD ? preferred : undefined;
}
