import { isRecord } from '@datadeck/contract/table-columns';

export interface Bar {
  label: string;
  value: number;
}

export interface Distribution {
  /** Name of the numeric field that the bars show. */
  measure: string;
  bars: Bar[];
}

/** Converts 2 to 40 rows with a name and numbers into bars of the first number; null for other rows. */
export function distributionOf(rows: readonly unknown[]): Distribution | null {
  if (rows.length < 2 || rows.length > 40) return null;
  const first = rows[0];
  if (!isRecord(first)) return null;
  const names = Object.keys(first);
  const measure = names.find((name) => typeof first[name] === 'number');
  const labels = names.filter((name) => typeof first[name] === 'string').slice(0, 2);
  if (measure === undefined || labels.length === 0 || names.length > 6) return null;
  const bars: Bar[] = [];
  for (const row of rows) {
    const value = isRecord(row) ? row[measure] : undefined;
    if (!isRecord(row) || typeof value !== 'number') return null;
    bars.push({ label: labels.map((label) => String(row[label] ?? '–')).join(' '), value });
  }
  return { measure, bars };
}
