import { ALERT_LIMITS, type AlertChanges, type AlertKind, type ChangedRow } from '@datadeck/contract';
import { type LinesFile, linesOf } from '../../platform/evaluation/file-lines.ts';
import { compareRows } from './row-difference.ts';
import { type DigestFields, digestOf, type RowDigest } from './row-digests.ts';
import { packRows, unpackRows } from './snapshot.ts';

/** Largest text of all digests of a result, UTF-16 units. */
const MAX_DIGESTS = 32 * 1024 * 1024;

/** Longest row that is returned whole, as JSON, UTF-16 units. */
const MAX_WHOLE = 64 * 1024;

/** A result to compare with a snapshot. */
export interface ResultToCompare extends DigestFields {
  file: LinesFile;
  /** The rows that were there before; absent if nothing is to be compared. */
  snapshot?: Uint8Array | undefined;
  kinds: readonly AlertKind[];
  /** Number of the first rows to return, for a test; absent for none. */
  firstRows?: number;
  /** Whether to return the whole rows of what is reported. */
  wantsWhole?: boolean;
}

/** The difference between a result and a snapshot. */
export interface ComparedResult {
  rowCount: number;
  /** The new snapshot; absent if the given one is still true. */
  snapshot?: Uint8Array;
  /** What to tell; absent if nothing of the chosen kinds changed, or nothing was compared. */
  changes?: AlertChanges;
  /** Keys of rows that appeared. */
  newKeys: string[];
  first: ChangedRow[];
  /** The whole rows of the changes, or of the first rows, in their order (`wholeRows`). */
  whole?: unknown[];
}

/** Returns the counts and first rows of the changes of the chosen kinds; undefined if there are none. */
export function summarize(
  differences: readonly ChangedRow[],
  kinds: readonly AlertKind[],
): AlertChanges | undefined {
  const chosen = differences.filter(({ kind }) => kinds.includes(kind));
  if (chosen.length === 0) return undefined;
  const countOf = (kind: AlertKind) => chosen.filter((row) => row.kind === kind).length;
  return {
    appeared: countOf('appeared'),
    disappeared: countOf('disappeared'),
    changed: countOf('changed'),
    rows: chosen.slice(0, ALERT_LIMITS.shownRows),
  };
}

/** Returns the keys of rows that appeared, at most `ALERT_LIMITS.marked`; none if that kind is not reported. Rows without a key have none. */
function newKeysOf(differences: readonly ChangedRow[], kinds: readonly AlertKind[]): string[] {
  if (!kinds.includes('appeared')) return [];
  return differences
    .flatMap(({ kind, key }) => (kind === 'appeared' && key !== null ? [key] : []))
    .slice(0, ALERT_LIMITS.marked);
}

/**
 * Returns for each difference its whole row; its excerpt for a row that is gone, no object or longer than `MAX_WHOLE`. Rows are
 * found by their excerpts, which must be the objects of `digests`.
 */
function wholeRows(
  file: ResultToCompare['file'],
  digests: readonly RowDigest[],
  differences: readonly ChangedRow[],
): unknown[] {
  if (differences.length === 0) return [];
  const placeOf = new Map(differences.map(({ row }, place) => [row, place]));
  const whole = differences.map(({ row }) => row);
  let index = 0;
  for (const line of linesOf(file)) {
    const excerpt = digests[index++]?.excerpt;
    const place = typeof excerpt === 'object' ? placeOf.get(excerpt) : undefined;
    if (place !== undefined && line.length <= MAX_WHOLE) whole[place] = JSON.parse(line);
  }
  return whole;
}

/** Compares a result with a snapshot. @returns undefined when the digests of the rows are too long together */
export function compareResult({
  file,
  snapshot,
  kinds,
  firstRows = 0,
  wantsWhole = false,
  ...fields
}: ResultToCompare): ComparedResult | undefined {
  const rows: RowDigest[] = [];
  let size = 0;
  for (const line of linesOf(file)) {
    const digest = digestOf(line, fields);
    size += JSON.stringify(digest).length + 1;
    if (size > MAX_DIGESTS) return undefined;
    rows.push(digest);
  }
  const differences = snapshot && compareRows(unpackRows(snapshot), rows);
  const changes = differences && summarize(differences, kinds);
  const first: ChangedRow[] = rows
    .slice(0, firstRows)
    .map(({ key, excerpt: row }) => ({ kind: 'appeared', key, row }));
  return {
    rowCount: rows.length,
    ...((differences === undefined || differences.length > 0) && { snapshot: packRows(rows) }),
    ...(changes && { changes }),
    newKeys: changes ? newKeysOf(differences, kinds) : [],
    first,
    ...(wantsWhole && { whole: wholeRows(file, rows, changes?.rows ?? first) }),
  };
}
