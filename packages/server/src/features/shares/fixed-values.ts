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
 * Returns the values, as JSON, with which a view is read by a token or an invitation. For a shared view they are those that its owner
 * fixed; for a view on a shared board, the ones among them that are parameters of the view. Undefined if the owner fixed none.
 * @param userId the owner
 * @throws AppError not-found for a view on a board that does not exist any more
 */
export async function fixedValues(
  db: Queryable,
  userId: string,
  { viewId, boardId, parameters }: Fixed & { viewId: string },
): Promise<string | undefined> {
  if (boardId === null) return parameters ?? undefined;
  return valuesForView(db, userId, { viewId, parameters });
}
