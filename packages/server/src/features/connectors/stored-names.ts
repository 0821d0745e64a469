import { COLUMN_TYPE_OF, type StoredNames } from '@datadeck/connectors/declarative';
import type { DocumentEntity } from '@datadeck/contract/connector-document';
import { AppError } from '../../platform/app-error.ts';
import { isOfType, type KnownTable } from '../records/index.ts';

/** Longest name of a declared column, characters. */
const MAX_NAME = 41;

/**
 * Chooses under which names the columns of an entity are stored: their own, unless the table has a column of that name with another
 * type. Then it is a column of an earlier version that had this type, or a new one, `points_v1`. Columns never change their type,
 * so that runs and processes of the version before read and write them until they have changed to this one.
 * @param version highest number that a new name ends with; the lowest free one is taken, and the name is cut to 41 characters
 * @returns those that differ from the names in the document
 * @throws AppError validation-failed when all these names have columns of other types
 */
export function chooseStoredNames(
  { columns }: Pick<DocumentEntity, 'columns'>,
  table: KnownTable | undefined,
  version: number,
): StoredNames {
  const names: Record<string, string> = {};
  const taken = new Set(Object.keys(columns));
  const isUsable = (name: string, type: string) => {
    const stored = table?.columns.get(name);
    return stored === undefined || isOfType(stored, type);
  };
  for (const [name, { type }] of Object.entries(columns)) {
    const storedType = COLUMN_TYPE_OF[type];
    if (isUsable(name, storedType)) continue;
    const candidates = Array.from({ length: version }, (_, index) => laterName(name, index + 1));
    const chosen = candidates.find((one) => !taken.has(one) && isUsable(one, storedType));
    if (chosen === undefined)
      throw new AppError(
        'validation-failed',
        `The column ${name} needs another name: its type has changed too often.`,
      );
    names[name] = chosen;
    taken.add(chosen);
  }
  return names;
}

function laterName(name: string, version: number): string {
  const suffix = `_v${version}`;
  return name.slice(0, MAX_NAME - suffix.length) + suffix;
}
