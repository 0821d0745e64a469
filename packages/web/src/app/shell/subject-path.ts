import { PATHS, withSearch } from '../../address/paths.ts';
import type { Notification } from '../../api/models.ts';

/** Returns the path of what a notification is about: a view, the syncs of an entity, or a provider. */
export function subjectPath({ providerId, entityLabel, viewId }: Notification): string {
  if (viewId !== null)
    return withSearch(PATHS.views, { provider: providerId, entity: entityLabel, view: viewId });
  if (entityLabel === '') return withSearch(PATHS.providers, { provider: providerId });
  return withSearch(PATHS.syncs, { details: entityLabel });
}
