import { type Connector, isFormAuthorization } from '@datadeck/connectors';
import type { ConnectField, Provider } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { ConnectorRegistry } from './registry.ts';
import { type Connection, listCurrentConnections, openCredentials } from './store.ts';

/** Returns the fields of a connect form, prefilled with the last values except secrets. */
function connectFields(
  context: Context,
  connector: Connector,
  connection: Connection | undefined,
): ConnectField[] | undefined {
  if (!isFormAuthorization(connector.authorization)) return undefined;
  const known = connection && openCredentials(context, connection)?.fields;
  return connector.authorization.fields.map((field) => {
    const defaultValue = field.type === 'password' ? '' : (known?.[field.name] ?? field.defaultValue);
    return { ...field, defaultValue };
  });
}

function toProvider(
  context: Context,
  { connector, unavailable }: { connector: Connector; unavailable: string | undefined },
  connection: Connection | undefined,
): Provider {
  const inUse = connection && connection.status !== 'disconnected' ? connection : undefined;
  const fields = connectFields(context, connector, inUse);
  return {
    _id: connector.key,
    key: connector.key,
    title: connector.title,
    description: connector.description,
    entities: connector.entities.map(({ id, title }) => ({ id, title })),
    // On the wire, a connected provider is 'blocked'.
    isBlocked: inUse !== undefined,
    ...(connector.mark === undefined ? {} : { mark: connector.mark }),
    ...(fields === undefined ? {} : { connectFields: fields }),
    ...(unavailable === undefined ? {} : { unavailable }),
    connection: inUse
      ? {
          status: inUse.status === 'disconnected' ? 'connected' : inUse.status,
          account: inUse.account,
          connectedAt: inUse.connectedAt.toISOString(),
        }
      : null,
  };
}

/** Lists all providers with the user's connection to each. */
export async function listProviders(
  context: Context,
  registry: ConnectorRegistry,
  userId: string,
): Promise<Provider[]> {
  const connections = await listCurrentConnections(context.db, userId);
  return registry.all().map((connector) =>
    toProvider(
      context,
      { connector, unavailable: registry.unavailable(connector.key) },
      connections.find((one) => one.provider === connector.key),
    ),
  );
}
