import type { ViewBase } from '@datadeck/contract';
import type { ListedView } from '../../api/models.ts';

/** What a view is computed from. The name is empty for the only base of a view. */
export type Source = ViewBase;

/** Returns the bases of a view. */
export function sourcesOf({ bases, ...view }: ListedView): readonly Source[] {
  if (bases.length > 0) return bases;
  const { providerId, entityLabel, basedOn, templateKey, search } = view;
  return [{ name: '', providerId, entityLabel, basedOn, templateKey, search, account: '' }];
}
