import type { Provider, UserEntity } from '@datadeck/contract';

/** Titles of entities by their label; where another connected provider has one of the same title, the provider is named too. */
export function entityTitles(
  entities: readonly UserEntity[],
  providers: readonly Pick<Provider, '_id' | 'title' | 'isBlocked'>[],
): Map<string, string> {
  const connected = new Set(providers.filter(({ isBlocked }) => isBlocked).map(({ _id }) => _id));
  return new Map(
    entities.map(({ id, title, providerId }) => {
      const isShared = entities.some(
        (other) => other.id !== id && other.title === title && connected.has(other.providerId),
      );
      const provider = providers.find(({ _id }) => _id === providerId)?.title;
      return [id, isShared && provider !== undefined ? `${title} · ${provider}` : title];
    }),
  );
}
