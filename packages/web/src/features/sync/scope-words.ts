import type { UserEntity } from '@datadeck/contract';
import type { Sync } from '../../api/wire.ts';

/** Describes the scope of a sync by its text settings, such as `aurora-labs / harbor`; empty when its entity has none. */
export function scopeInWords(
  { entitySettings }: Pick<Sync, 'entitySettings'>,
  entity: Pick<UserEntity, 'settings'> | undefined,
): string {
  const texts = (entity?.settings ?? [])
    .filter(({ type }) => type === 'text')
    .map(({ propKey }) => entitySettings[propKey] ?? '');
  return texts.filter((text) => text !== '').join(' / ');
}
