export interface Column {
  name: string;
  /** The field that it shows; empty for rows of plain values. */
  path: readonly string[];
  isNumeric: boolean;
  /** Whether some of its values are lists or objects. */
  isNested: boolean;
  read: (row: unknown) => unknown;
}

/** Returns whether a value is an object with fields, not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Fields that the server adds to records: the account of the shown copy, and all accounts that have the record. */
export const ACCOUNT_FIELDS = ['account', 'accounts'] as const;

/** Columns that hold identifiers: `id`, `_id`, `number`, `thread`, `user_id`, `userId`. */
const IDENTIFIER = /^(?:_?id|number|thread)$|_id$|I[dD]$/;

export const isIdentifier = (name: string) => IDENTIFIER.test(name);

/** Returns the columns of rows: preferred fields, then scalars, then nested values. Rows of plain values have one column, `value`. */
export function columnsOf(rows: readonly unknown[], preferred: readonly string[] = []): Column[] {
  if (!rows.some(isRecord))
    return [
      {
        name: 'value',
        path: [],
        isNumeric: rows.every((row) => typeof row === 'number'),
        isNested: false,
        read: (row) => row,
      },
    ];
  const samples = new Map<string, unknown[]>();
  for (const row of rows) {
    if (!isRecord(row)) continue;
    for (const [name, value] of Object.entries(row)) {
      const values = samples.get(name) ?? [];
      samples.set(name, values);
      if (value !== null && value !== undefined) values.push(value);
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
        path: [name],
        isNumeric: values.length > 0 && values.every((value) => typeof value === 'number'),
        isNested: values.some((value) => typeof value === 'object'),
        // Not what all objects inherit, such as `constructor`.
        read: (row: unknown) => (isRecord(row) && Object.hasOwn(row, name) ? row[name] : undefined),
      };
    });
}

/** Number of fields from which a row counts as a whole record; expressions rarely produce so many. */
export const MIN_RECORD_FIELDS = 12;

/** Returns the preferred fields of an expression's result: none unless its rows are whole records, to keep its own order. */
export function preferredInResult(
  value: unknown,
  preferred: readonly string[],
): readonly string[] | undefined {
  const row: unknown = Array.isArray(value) ? value[0] : value;
  return isRecord(row) && Object.keys(row).length >= MIN_RECORD_FIELDS ? preferred : undefined;
}
