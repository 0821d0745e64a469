import type { UserEntity } from '@datadeck/contract';
import type { Sync } from '../../api/wire.ts';

/** What a sync was about: the texts of its settings in the order of the form, such as `aurora-labs / harbor`; empty where its entity has none. */
export function scopeInWords(
  { entitySettings }: Pick<Sync, 'entitySettings'>,
  entity: Pick<UserEntity, 'settings'> | undefined,
): string {
  const texts = (entity?.settings ?? [])
    .filter(({ type }) => type === 'text')
    .map(({ propKey }) => entitySettings[propKey] ?? '');
  return texts.filter((text) => text !== '').join(' / ');
}
