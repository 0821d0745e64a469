import { createContext, useContext } from 'react';
import type { ShareClient } from './share-client.ts';

/** Provides the client of the shared page. */
export const ClientContext = createContext<ShareClient | null>(null);

/** Returns the client of the shared page around a component. */
export function useShareClient(): ShareClient {
  const client = useContext(ClientContext);
  if (!client) throw new Error('there is no shared page');
  return client;
}
