import { errorPosition } from './error-position.ts';

/** Names of members and positions in lists that lead to a value. */
export type Path = readonly (string | number)[];

/** Writes a path as the server does: `entities.0.sortedBy`. */
export const pathText = (path: Path): string => path.join('.');

/** Returns whether a value is an object that is no list. */
export function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text as a document; `sentence` says why it cannot be read. */
export type ReadDocument =
  | { document: Record<string, unknown>; sentence?: undefined }
  | { document?: undefined; sentence: string };

/** Reads the text of a document. */
export function readDocument(text: string): ReadDocument {
  try {
    const document: unknown = JSON.parse(text);
    if (isMembers(document)) return { document };
    return { sentence: 'The document must be an object in braces.' };
  } catch {
    const line = text.slice(0, errorPosition(text)).split('\n').length;
    return { sentence: `The document is not valid JSON: look at line ${line}.` };
  }
}

/** Writes a document, indented by two spaces. */
export const writeDocument = (document: unknown): string => JSON.stringify(document, null, 2);

/** Returns the value at a path; undefined if there is none. */
export function valueAt(document: unknown, path: Path): unknown {
  let value = document;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isMembers(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

/** Returns the members at a path; none if there is something else. */
export function membersAt(document: unknown, path: Path): Record<string, unknown> {
  const value = valueAt(document, path);
  return isMembers(value) ? value : {};
}

/** Returns the list at a path; empty if there is something else. */
export function listAt(document: unknown, path: Path): readonly unknown[] {
  const value = valueAt(document, path);
  return Array.isArray(value) ? value : [];
}

/** Returns the text at a path; empty if there is something else. */
export function textAt(document: unknown, path: Path): string {
  const value = valueAt(document, path);
  return typeof value === 'string' ? value : '';
}

/**
 * Returns a copy of a document with another value at a path, and objects on the way where there are none. Undefined removes the
 * member or the item of a list.
 */
export function withValue(document: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'number' || Array.isArray(document)) {
    const list: readonly unknown[] = Array.isArray(document) ? document : [];
    const index = Number(step);
    const next = withValue(list[index], rest, value);
    return next === undefined ? list.toSpliced(index, 1) : list.toSpliced(index, 1, next);
  }
  const members = isMembers(document) ? document : {};
  const next = withValue(members[step], rest, value);
  if (next !== undefined) return { ...members, [step]: next };
  const { [step]: _removed, ...others } = members;
  return others;
}
