import { backfill } from '../features/records/index.ts';
import { publishInvalidation } from '../features/sync/index.ts';
import type { Product } from './product.ts';

/**
 * Moves records that an older version stored, and extracts columns again, until all records are as this version stores
 * them. Browsers are told of the progress.
 */
export async function runBackfill(
  { background, registry }: Product,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const entities = registry.all().flatMap((connector) => connector.entities);
  await backfill(background.db, entities, {
    isStopped,
    onProgress: ({ userId }) =>
      publishInvalidation(background, userId, ['Entities', 'Aggregation', 'View', 'Synchronizations']),
  });
}

/** Starts the backfill in the background. @returns a function that stops it and waits for that */
export function startBackfill(product: Product): () => Promise<void> {
  let isStopped = false;
  const done = runBackfill(product, () => isStopped).catch((error: unknown) => {
    if (!isStopped)
      product.context.log.warn({ err: error }, 'records could not be prepared; housekeeping tries again');
  });
  return async () => {
    isStopped = true;
    await done;
  };
}
