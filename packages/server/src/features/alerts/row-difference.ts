import type { ChangedRow } from '@datadeck/contract';
import type { RowDigest } from './row-digests.ts';

/** The rows of a result with the same identity, in order. */
type Groups = Map<string, RowDigest[]>;

/** Rows without a key are identified by their whole content. The prefixes keep keys and hashes apart. */
function identityOf({ key, hash }: RowDigest): string {
  return key === null ? `hash ${hash}` : `key ${key}`;
}

function groupRows(rows: Iterable<RowDigest>): Groups {
  const groups: Groups = new Map();
  for (const row of rows) {
    const identity = identityOf(row);
    const group = groups.get(identity);
    if (group) group.push(row);
    else groups.set(identity, [row]);
  }
  return groups;
}

/** Returns the rows of a group that the other group does not have. Rows with equal hashes cancel each other one by one. */
function surplus(group: readonly RowDigest[], other: readonly RowDigest[]): RowDigest[] {
  const unmatched = new Map<string, number>();
  for (const { hash } of other) unmatched.set(hash, (unmatched.get(hash) ?? 0) + 1);
  return group.filter(({ hash }) => {
    const count = unmatched.get(hash) ?? 0;
    if (count > 0) unmatched.set(hash, count - 1);
    return count === 0;
  });
}

/**
 * Returns the exact difference between two results: first rows that appeared or changed, in the order of the new result,
 * then rows that disappeared, in the order of the old one. Several rows may have the same key; the order of rows does not
 * matter.
 */
export function compareRows(before: Iterable<RowDigest>, after: Iterable<RowDigest>): ChangedRow[] {
  const old = groupRows(before);
  const found: ChangedRow[] = [];
  const gone: ChangedRow[] = [];
  for (const [identity, group] of groupRows(after)) {
    const previous = old.get(identity) ?? [];
    old.delete(identity);
    const removed = surplus(previous, group);
    const added = surplus(group, previous);
    for (const [index, { key, excerpt: row }] of added.entries()) {
      const replaced = removed[index];
      found.push(
        replaced ? { kind: 'changed', key, row, before: replaced.excerpt } : { kind: 'appeared', key, row },
      );
    }
    for (const { key, excerpt: row } of removed.slice(added.length))
      gone.push({ kind: 'disappeared', key, row });
  }
  for (const group of old.values())
    for (const { key, excerpt: row } of group) gone.push({ kind: 'disappeared', key, row });
  return [...found, ...gone];
}
