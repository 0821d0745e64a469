import type { Context } from '../../platform/context/index.ts';
import { publishInvalidation } from '../notifications/index.ts';

/** Reports to the pages of users that what they share, or what is shared with them, has changed. */
export async function announceShares(context: Context, userIds: readonly string[]): Promise<void> {
  await Promise.all(userIds.map((id) => publishInvalidation(context, id, ['Shares'])));
}
