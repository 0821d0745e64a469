import { deleteBoard } from '../features/boards/index.ts';
import { announceShares, deleteInvitations } from '../features/shares/index.ts';
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
  await announceShares(context, members);
}
