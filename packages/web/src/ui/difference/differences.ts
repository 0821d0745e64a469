/** A place at which two documents differ; undefined: there is nothing on that side. */
export interface Difference {
  /** `head.repo.name`, `labels[2]`; empty: the whole document. */
  path: string;
  before: unknown;
  after: unknown;
}

/** Beyond this depth values are compared as a whole. */
const DEEPEST = 40;

type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isScalar = (value: unknown) => typeof value !== 'object' || value === null;

const PLAIN = /^[A-Za-z_$][\w$]*$/;

function memberPath(path: string, name: string): string {
  if (!PLAIN.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** What tells the members of a list apart: their ids when all have one of their own, else nothing. */
function idsOf(list: readonly unknown[]): unknown[] | undefined {
  const ids = list.map((member) => (isObject(member) ? member.id : undefined));
  const isKnown = ids.every((id) => typeof id === 'string' || typeof id === 'number');
  return isKnown && new Set(ids).size === ids.length ? ids : undefined;
}

/** The members of two lists side by side: by their ids, else by their place. */
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
  if (depth < DEEPEST && isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(before[name], after[name], memberPath(path, name), depth + 1, found);
  } else if (
    depth < DEEPEST &&
    Array.isArray(before) &&
    Array.isArray(after) &&
    ![...before, ...after].every(isScalar)
  ) {
    for (const [index, [old, now]] of pairs(before, after).entries())
      compare(old, now, `${path}[${index}]`, depth + 1, found);
  } else found.push({ path, before, after });
}

/**
 * Where two JSON documents differ. A list of plain values is one place; a document that appears or goes is told by its
 * fields. @param before null or undefined: there was none
 */
export function differences(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = [];
  const hasBefore = before !== null && before !== undefined;
  const hasAfter = after !== null && after !== undefined;
  if (hasBefore && hasAfter) compare(before, after, '', 0, found);
  else {
    const only = hasBefore ? before : after;
    for (const [name, value] of isObject(only) ? Object.entries(only) : [['', only] as const])
      found.push({
        path: name === '' ? '' : memberPath('', name),
        before: hasBefore ? value : undefined,
        after: hasAfter ? value : undefined,
      });
  }
  return found;
}
