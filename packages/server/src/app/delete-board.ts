import { deleteBoard } from '../features/boards/index.ts';
import { publishInvalidation } from '../features/notifications/index.ts';
import { deleteInvitations } from '../features/shares/index.ts';
import type { Product } from './product.ts';

/** Deletes a board with the invitations to it. @throws AppError not-found */
export async function deleteBoardWithInvitations(
  { context }: Product,
  userId: string,
  boardId: string,
): Promise<void> {
  let members: string[] = [];
  await deleteBoard(context, userId, {
    id: boardId,
    inTransaction: async (tx) => {
      members = await deleteInvitations(tx, userId, { boardId });
    },
  });
  for (const id of members) await publishInvalidation(context, id, ['Shares']);
}
