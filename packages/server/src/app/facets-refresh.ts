import { refreshAllFacets } from '../features/records/index.ts';
import type { Product } from './product.ts';

/** Extracts facets of older versions once more. @param isStopped asked between two entities' data of one connection */
export async function refreshFacets(
  { background, registry }: Product,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const entities = registry.all().flatMap((connector) => connector.entities);
  await refreshAllFacets(background.db, entities, isStopped);
}

/** Begins to do so in the background, after an upgrade for example. @returns stops it and waits for that */
export function startFacetsRefresh(product: Product): () => Promise<void> {
  let isStopped = false;
  const refreshed = refreshFacets(product, () => isStopped).catch((error: unknown) => {
    if (!isStopped)
      product.context.log.warn({ err: error }, 'facets were not refreshed; housekeeping tries it again');
  });
  return async () => {
    isStopped = true;
    await refreshed;
  };
}
