import type { UserEntity } from '@datadeck/contract';
import type { Provider } from '../../api/models.ts';

/** Returns the entities' titles by label. Adds the provider when another connected provider has an entity of the same title. */
export function entityTitles(
  entities: readonly UserEntity[],
  providers: readonly Pick<Provider, 'id' | 'title' | 'isConnected'>[],
): Map<string, string> {
  const connected = new Set(providers.filter(({ isConnected }) => isConnected).map(({ id }) => id));
  return new Map(
    entities.map(({ id, title, providerId }) => {
      const isShared = entities.some(
        (other) => other.id !== id && other.title === title && connected.has(other.providerId),
      );
      const provider = providers.find(({ id }) => id === providerId)?.title;
      return [id, isShared && provider !== undefined ? `${title} · ${provider}` : title];
    }),
  );
}
