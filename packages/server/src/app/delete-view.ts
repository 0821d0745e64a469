import type { DeletedView } from '@datadeck/contract';
import { deleteAlerts } from '../features/alerts/index.ts';
import { deleteCurves } from '../features/curves/index.ts';
import { publishInvalidation } from '../features/notifications/index.ts';
import { announceShares, deleteInvitations } from '../features/shares/index.ts';
import { deleteView } from '../features/views/index.ts';
import { forgetResults } from '../platform/evaluation/index.ts';
import type { Product } from './product.ts';

/**
 * Deletes a view with its alerts, its curve and the invitations to it. Undoing it restores the view alone.
 * @throws AppError not-found, view-in-use
 */
export async function deleteViewWithAlerts(
  { context }: Product,
  userId: string,
  viewId: string,
): Promise<DeletedView> {
  let deletedAlerts = 0;
  let members: string[] = [];
  const deleted = await deleteView(context, userId, {
    id: viewId,
    inTransaction: async (tx) => {
      deletedAlerts = await deleteAlerts(tx, userId, { viewId });
      await deleteCurves(tx, userId, { viewId });
      members = await deleteInvitations(tx, userId, { viewId });
    },
  });
  await forgetResults(context, userId);
  await announceShares(context, members);
  if (deletedAlerts > 0) await publishInvalidation(context, userId, ['Alerts']);
  return deleted;
}
