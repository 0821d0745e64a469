import type { Provider } from '../../api/wire.ts';

interface KnownChoice {
  /** Key of the provider; empty when none is chosen. */
  provider: string;
  /** Label of the entity; empty when none is chosen. */
  entity: string;
  providerTitle: string;
  entityTitle: string;
  /** A provider is chosen that is connected. */
  isConnected: boolean;
}

/** The provider and entity that an address names, as far as they exist: what does not counts as not chosen. */
export function knownChoice(
  providers: readonly Provider[],
  providerKey: string,
  entityLabel: string,
): KnownChoice {
  const provider = providers.find(({ key }) => key === providerKey);
  const entity = provider?.entities.find(({ id }) => id === entityLabel);
  return {
    provider: provider?.key ?? '',
    entity: entity?.id ?? '',
    providerTitle: provider?.title ?? '',
    entityTitle: entity?.title ?? '',
    isConnected: provider?.isConnected ?? false,
  };
}
