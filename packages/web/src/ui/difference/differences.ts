import { isRecord } from '@datadeck/contract/table-columns';
/** A difference at one path of two documents. Undefined means that the side has no value there. */
export interface Difference {
  /** Path such as `head.repo.name` or `labels[2]`; empty for the whole document. */
  path: string;
  before: unknown;
  after: unknown;
}

/** Depth below which values are compared as a whole. */
const MAX_DEPTH = 40;

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;

const PLAIN = /^[A-Za-z_$][\w$]*$/;

function memberPath(path: string, name: string): string {
  if (!PLAIN.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** Returns the ids of a list's members if each has its own id; undefined otherwise. */
function idsOf(list: readonly unknown[]): unknown[] | undefined {
  const ids = list.map((member) => (isRecord(member) ? member.id : undefined));
  const isKnown = ids.every((id) => typeof id === 'string' || typeof id === 'number');
  return isKnown && new Set(ids).size === ids.length ? ids : undefined;
}

/** Pairs the members of two lists by id, or by position if they have no ids. */
function pairs(before: readonly unknown[], after: readonly unknown[]): [unknown, unknown][] {
  const [oldIds, newIds] = [idsOf(before), idsOf(after)];
  if (!oldIds || !newIds)
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => [
      before[index],
      after[index],
    ]);
  return [...new Set([...oldIds, ...newIds])].map((id) => [
    before[oldIds.indexOf(id)],
    after[newIds.indexOf(id)],
  ]);
}

const isSame = (before: unknown, after: unknown) =>
  Object.is(before, after) || JSON.stringify(before) === JSON.stringify(after);

function compare(before: unknown, after: unknown, path: string, depth: number, found: Difference[]): void {
  if (isSame(before, after)) return;
  if (depth < MAX_DEPTH && isRecord(before) && isRecord(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(before[name], after[name], memberPath(path, name), depth + 1, found);
  } else if (
    depth < MAX_DEPTH &&
    Array.isArray(before) &&
    Array.isArray(after) &&
    ![...before, ...after].every(isScalar)
  ) {
    for (const [index, [old, now]] of pairs(before, after).entries())
      compare(old, now, `${path}[${index}]`, depth + 1, found);
  } else found.push({ path, before, after });
}

/**
 * Compares two JSON documents. A list of plain values counts as one value; an added or removed document is listed field
 * by field. @param before null or undefined when there was no document
 */
export function differences(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = [];
  const hasBefore = before !== null && before !== undefined;
  const hasAfter = after !== null && after !== undefined;
  if (hasBefore && hasAfter) compare(before, after, '', 0, found);
  else {
    const only = hasBefore ? before : after;
    for (const [name, value] of isRecord(only) ? Object.entries(only) : [['', only] as const])
      found.push({
        path: name === '' ? '' : memberPath('', name),
        before: hasBefore ? value : undefined,
        after: hasAfter ? value : undefined,
      });
  }
  return found;
}
