import { GithubError } from './github-error.ts';

/** Reads a parameter with few values; the first is the default. @throws GithubError 422 for an invalid value */
export function oneOf<Value extends string>(
  query: URLSearchParams,
  name: string,
  known: readonly [Value, ...Value[]],
  { resource, page }: { resource: string; page: string },
): Value {
  const text = query.get(name);
  if (text === null || text === '') return known[0];
  const found = known.find((value) => value === text);
  if (found) return found;
  const errors = [{ resource, code: 'invalid', field: name, value: text }];
  throw new GithubError(422, 'Validation Failed', {
    documentation: `https://docs.github.com/rest${page}`,
    fields: { errors },
  });
}

/** Reads a time (ISO 8601), ms since 1970; undefined without one. @throws GithubError 422 for an invalid value */
export function timeIn(
  query: URLSearchParams,
  name: string,
  { resource, page }: { resource: string; page: string },
): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const time = Date.parse(text);
  if (Number.isFinite(time)) return time;
  const errors = [{ resource, code: 'invalid', field: name, value: text }];
  throw new GithubError(422, 'Validation Failed', {
    documentation: `https://docs.github.com/rest${page}`,
    fields: { errors },
  });
}

/** Selections per array of records; every change of a table creates a new array. */
const selections = new WeakMap<readonly object[], Map<string, readonly unknown[]>>();

/** Returns the selection of these records that was made before with the same key, or makes and keeps it. */
export function keptSelection<Row>(
  rows: readonly object[],
  key: string,
  select: () => readonly Row[],
): readonly Row[] {
  const kept = selections.get(rows) ?? new Map<string, readonly unknown[]>();
  selections.set(rows, kept);
  const selected = (kept.get(key) as readonly Row[] | undefined) ?? select();
  if (kept.size < 20) kept.set(key, selected);
  return selected;
}
