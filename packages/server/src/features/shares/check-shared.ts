import { type CreateToken, viewIdsOf } from '@datadeck/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isId } from '../../platform/ids.ts';
import { selectBoard } from '../boards/index.ts';
import { checkViewValues, parseBindings, valuesForView, viewTitles } from '../views/index.ts';

/**
 * Checks the view or board of a new token, and the fixed values of its parameters: each must be one of a view, of the right type.
 * @throws AppError not-found, validation-failed
 */
export async function checkShared(
  db: Queryable,
  userId: string,
  { viewId, boardId, parameters }: Pick<CreateToken, 'viewId' | 'boardId' | 'parameters'>,
): Promise<void> {
  if (viewId !== undefined) return checkViewValues(db, userId, { viewId, parameters });
  if (boardId === undefined) return;
  const board = await selectBoard(db, userId, boardId);
  if (!board) throw notFound('This board');
  if (parameters === undefined) return;
  const used = new Set<string>();
  // A tile may show a view that was deleted.
  for (const id of (await viewTitles(db, userId, [...new Set(viewIdsOf(board.tiles))].filter(isId))).keys()) {
    const values = await valuesForView(db, userId, { viewId: id, parameters });
    await checkViewValues(db, userId, { viewId: id, parameters: values });
    for (const name of Object.keys(JSON.parse(values ?? '{}') as object)) used.add(name);
  }
  const unknown = Object.keys(parseBindings(parameters)).find((name) => !used.has(name));
  if (unknown === undefined) return;
  throw new AppError('validation-failed', 'A parameter of the board is not valid.', {
    fields: { [unknown]: 'Not a parameter of a view on this board' },
  });
}
