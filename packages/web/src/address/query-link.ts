import { PATHS, withSearch } from './paths.ts';

/**
 * What a link to the Query screen opens when it does not know the entity's templates: the results of the first one, or also the
 * dialog that saves them as a view.
 */
export type QueryTarget = 'results' | 'view';

interface LinkedEntity {
  providerId: string;
  entityLabel: string;
  /** Its rows alone are shown; absent: all accounts. */
  account?: string | undefined;
}

/** Returns the address of an entity's first template: `/dashboard/data/query?provider=github&entity=gh-pulls&open=results`. */
export function queryAddress(
  { providerId, entityLabel, account = '' }: LinkedEntity,
  open: QueryTarget,
): string {
  return withSearch(PATHS.query, { provider: providerId, entity: entityLabel, account, open });
}
