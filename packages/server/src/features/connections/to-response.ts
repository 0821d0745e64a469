import { type Connector, lifecycleOf } from '@datadeck/connectors';
import { type ConnectForm, isSecret, type Provider } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { ConnectorRegistry } from './registry.ts';
import { type Connection, listCurrentConnections, openCredentials } from './store.ts';

type Stored = ReturnType<typeof openCredentials>;

/** Returns the connect form, prefilled with the last values except secrets. */
function connectForm({ formAuthorization }: Connector, stored: Stored): { form?: ConnectForm } {
  if (!formAuthorization) return {};
  const { form } = formAuthorization;
  const fields = form.fields.map((field) => {
    const defaultValue = isSecret(field) ? '' : (stored?.fields?.[field.name] ?? field.defaultValue);
    return { ...field, defaultValue };
  });
  return { form: { ...form, fields } };
}

/** Returns the choices of the consent page, and which of them the stored credentials have. */
function consentOf({ authorization }: Connector, stored: Stored): Pick<Provider, 'consent'> {
  if (!authorization) return {};
  const access = (authorization.access ?? []).map(({ scope, ...option }) => ({
    ...option,
    isGranted: stored?.scopes.includes(scope) ?? false,
  }));
  return { consent: { access } };
}

function methodOf({ authorization }: Connector, stored: Stored): 'consent' | 'form' {
  return stored?.method ?? (authorization ? 'consent' : 'form');
}

/** Describes what stored credentials allow; empty if the connector does not say. */
function describeAccess(connector: Connector, stored: Stored): string {
  if (!stored) return '';
  const method = methodOf(connector, stored);
  const isOffered = method === 'consent' ? connector.authorization : connector.formAuthorization;
  return isOffered ? (lifecycleOf(connector, stored).describe?.(stored) ?? '') : '';
}

function toProvider(
  context: Context,
  { connector, unavailable }: { connector: Connector; unavailable: string | undefined },
  connection: Connection | undefined,
): Provider {
  const inUse = connection && connection.status !== 'disconnected' ? connection : undefined;
  const stored = inUse && openCredentials(context, inUse);
  return {
    _id: connector.key,
    key: connector.key,
    title: connector.title,
    description: connector.description,
    entities: connector.entities.map(({ id, title }) => ({ id, title })),
    searchable: connector.entities.filter(({ search }) => search !== undefined).map(({ id }) => id),
    // On the wire, a connected provider is 'blocked'.
    isBlocked: inUse !== undefined,
    ...(connector.mark === undefined ? {} : { mark: connector.mark }),
    ...consentOf(connector, stored),
    ...connectForm(connector, stored),
    ...(unavailable === undefined ? {} : { unavailable }),
    connection: inUse
      ? {
          status: inUse.status === 'disconnected' ? 'connected' : inUse.status,
          account: inUse.account,
          connectedAt: inUse.connectedAt.toISOString(),
          method: methodOf(connector, stored),
          access: describeAccess(connector, stored),
          expiresAt: inUse.expiresAt?.toISOString() ?? null,
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
