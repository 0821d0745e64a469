import {
  deleteExpiredAttempts,
  deleteExpiredSessions,
  deleteExpiredSignInTokens,
} from '../features/accounts/index.ts';
import { forgetUnusedParts } from '../features/records/index.ts';
import type { QueueDefinition } from '../platform/jobs.ts';
import { deleteIdleDemoWorkspaces } from './demo/workspace.ts';
import type { Product } from './product.ts';

export const HOUSEKEEPING_QUEUE: QueueDefinition = { name: 'housekeeping', expireInSeconds: 600 };

/** Removes what has expired: sessions, unfinished authorisations, idle demo workspaces, parts of documents that are gone. */
export async function keepHouse(product: Product): Promise<void> {
  await deleteExpiredSessions(product.context);
  await deleteExpiredAttempts(product.context);
  await deleteExpiredSignInTokens(product.context);
  await deleteIdleDemoWorkspaces(product);
  await forgetUnusedParts(product.context.db);
}

/** Every quarter of an hour, in one worker. */
export async function scheduleHousekeeping(product: Product): Promise<void> {
  await product.context.jobs.work(HOUSEKEEPING_QUEUE.name, 1, () => keepHouse(product));
  await product.context.jobs.schedule(HOUSEKEEPING_QUEUE.name, '*/15 * * * *');
}
