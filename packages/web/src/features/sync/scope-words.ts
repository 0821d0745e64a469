import type { SettingValues, UserEntity } from '@datadeck/contract';

type NamedEntity = Pick<UserEntity, 'settings' | 'valueNames'>;

/** Returns the ids of a value such as `INBOX, Label_12`. */
export function idsOf(value: string): string[] {
  return value
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

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

/** Describes the scope of a sync by its text settings, such as `aurora-labs / harbor`; empty when its entity has none. */
export function scopeInWords(
  { entitySettings }: { entitySettings: SettingValues },
  entity: NamedEntity | undefined,
): string {
  return (entity?.settings ?? [])
    .filter(({ type }) => type === 'text')
    .map(({ propKey }) => valueInWords(propKey, entitySettings, entity?.valueNames))
    .filter((text) => text !== '')
    .join(' / ');
}
