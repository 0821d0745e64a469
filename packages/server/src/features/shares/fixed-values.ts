import type { Queryable } from '../../platform/db/database.ts';
import { valuesForView } from '../views/index.ts';

/** The values that a token or an invitation fixes. */
interface Fixed {
  /** Set for the views of a board. */
  boardId: string | null;
  /** Values by name as JSON. */
  parameters: string | null;
}

/**
 * Returns, as JSON, the values that are fixed for a view: all of them, or of those for a board the ones that the view has as
 * parameters. Undefined for none.
 * @throws AppError not-found
 */
export async function fixedValues(
  db: Queryable,
  userId: string,
  { viewId, boardId, parameters }: Fixed & { viewId: string },
): Promise<string | undefined> {
  if (boardId === null) return parameters ?? undefined;
  return valuesForView(db, userId, { viewId, parameters });
}
