import { PATHS, withSearch } from '../../address/paths.ts';
import { recordParameters } from '../../address/record-parameter.ts';
import type { Notification } from '../../api/models.ts';

/** Returns the path of what a notification is about: a view, the syncs of an entity, or a provider. */
export function subjectPath({ providerId, entityLabel, viewId, deliveryId }: Notification): string {
  if (viewId !== null)
    return withSearch(PATHS.views, {
      provider: providerId,
      entity: entityLabel,
      view: viewId,
      delivery: deliveryId ?? '',
    });
  if (entityLabel === '') return withSearch(PATHS.providers, { provider: providerId });
  return withSearch(PATHS.syncs, { details: entityLabel });
}

/** Returns the path of the record that a notification names. */
export function recordPath(
  { providerId, entityLabel }: Notification,
  { recordId, account }: { recordId: string; account: string | null },
): string {
  const key = { providerId, entityLabel, recordId, account: account ?? '' };
  return withSearch(PATHS.search, recordParameters(key));
}
