import { membersAt, type Path, textAt } from '../document/document-text.ts';

/** Types of columns with which one can compute. */
export const NUMBER_TYPES: readonly string[] = ['integer', 'bigint', 'number'];

/** Returns the names of an entity's columns as options. @param types only columns of these types */
export function columnOptions(document: unknown, path: Path, types?: readonly string[]) {
  const columns = membersAt(document, [...path, 'columns']);
  return Object.keys(columns)
    .filter((name) => types === undefined || types.includes(textAt(columns, [name, 'type'])))
    .map((value) => ({ value, label: value }));
}
