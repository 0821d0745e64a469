import { type ConnectedProviders, type Need, PROVIDERS_OF } from '@datadeck/contract';
import type { Provider } from '../../api/models.ts';

/** Returns the keys of the connected providers. */
export function connectedProviders(providers: readonly Provider[]): ConnectedProviders {
  return new Set(providers.flatMap(({ key, isConnected }) => (isConnected ? key : [])));
}

/** Names the providers of which one meets a need, e.g. `Gmail, IMAP or Outlook`. */
export function providersFor(need: Need, providers: readonly Provider[]): string {
  const titles = providers.flatMap(({ key, title }) => (PROVIDERS_OF[need].includes(key) ? title : []));
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(titles);
}
