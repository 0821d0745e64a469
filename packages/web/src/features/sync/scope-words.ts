import type { SettingValues, UserEntity } from '@datadeck/contract';
import { idsOf } from './ids-of.ts';
import { syncScopesInWords } from './source-words.ts';

type NamedEntity = Pick<UserEntity, 'settings' | 'valueNames' | 'scopes'>;
type ReadingSync = Parameters<typeof syncScopesInWords>[0] & { entitySettings: SettingValues };

/** Returns the value of a setting as people read it: names instead of ids, `INBOX, Receipts` for `INBOX,Label_12`. */
export function valueInWords(
  propKey: string,
  values: SettingValues,
  valueNames: NamedEntity['valueNames'],
): string {
  const value = values[propKey] ?? '';
  const known = valueNames?.[propKey];
  if (!known) return value;
  const names = new Map(known.map(({ id, name }) => [id, name]));
  return idsOf(value)
    .map((id) => names.get(id) ?? id)
    .join(', ');
}

/**
 * Describes what a sync reads: its text settings, such as `aurora-labs / harbor`, or the number of its scopes, such as
 * `6 repositories`; empty when its entity has no settings.
 */
export function scopeInWords(sync: ReadingSync, entity: NamedEntity | undefined): string {
  if (!entity) return '';
  if (sync.scopes) return syncScopesInWords(sync, entity);
  return entity.settings
    .filter(({ type }) => type === 'text')
    .map(({ propKey }) => valueInWords(propKey, sync.entitySettings, entity.valueNames))
    .filter((text) => text !== '')
    .join(' / ');
}
