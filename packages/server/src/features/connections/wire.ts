import type { Connector } from '@datadeck/connectors';
import type { Provider } from '@datadeck/contract';
import type { Context } from '../../platform/context.ts';
import type { ConnectorRegistry } from './registry.ts';
import { type Connection, listCurrentConnections } from './store.ts';

function toProvider(connector: Connector, connection: Connection | undefined): Provider {
  const inUse = connection && connection.status !== 'disconnected' ? connection : undefined;
  return {
    _id: connector.key,
    key: connector.key,
    title: connector.title,
    description: connector.description,
    entities: connector.entities.map(({ id, title }) => ({ id, title })),
    isBlocked: inUse !== undefined,
    connection: inUse
      ? {
          status: inUse.status === 'disconnected' ? 'connected' : inUse.status,
          account: inUse.account,
          connectedAt: inUse.connectedAt.toISOString(),
        }
      : null,
  };
}

/** The providers with the user's connection to each. */
export async function listProviders(
  context: Context,
  registry: ConnectorRegistry,
  userId: string,
): Promise<Provider[]> {
  const connections = await listCurrentConnections(context.db, userId);
  return registry.all().map((connector) =>
    toProvider(
      connector,
      connections.find((one) => one.provider === connector.key),
    ),
  );
}
