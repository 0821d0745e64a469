import type { Provider } from '../../api/models.ts';

interface KnownChoice {
  /** Key of the provider; empty when none is selected. */
  provider: string;
  /** Label of the entity; empty when none is selected. */
  entity: string;
  providerTitle: string;
  entityTitle: string;
  /** Whether a provider is selected and connected. */
  isConnected: boolean;
}

/** Returns the provider and entity that the URL names. Unknown ones count as not selected. */
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
