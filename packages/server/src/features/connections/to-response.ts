import { type Connector, lifecycleOf } from '@datadeck/connectors';
import { type Account, type ConnectForm, isSecret, type Provider } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import { listIdentities } from '../accounts/index.ts';
import type { ConnectorRegistry } from './registry.ts';
import { type Connection, listConnections, openCredentials } from './store.ts';

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

/** Converts a connection to an account of its provider. */
function toAccount(
  context: Context,
  connector: Connector,
  { connection, signInSubjects: subjects }: { connection: Connection; signInSubjects: readonly string[] },
): Account {
  const stored = openCredentials(context, connection);
  return {
    status: connection.status,
    account: connection.account,
    title: connection.title,
    connectedAt: connection.connectedAt.toISOString(),
    method: methodOf(connector, stored),
    access: describeAccess(connector, stored),
    expiresAt: connection.expiresAt?.toISOString() ?? null,
    isShown: connection.isShown,
    signsIn: subjects.includes(connection.subject),
  };
}

/** Returns the account that was connected first of those in use, as clients of one account per provider know it. */
function firstConnected(accounts: readonly Account[]): Provider['connection'] {
  for (const { title: _title, isShown: _isShown, signsIn: _signsIn, status, ...account } of accounts)
    if (status !== 'disconnected') return { ...account, status };
  return null;
}

function toProvider(
  context: Context,
  { connector, unavailable }: { connector: Connector; unavailable: string | undefined },
  {
    connections,
    signInSubjects: subjects,
  }: { connections: readonly Connection[]; signInSubjects: readonly string[] },
): Provider {
  const accounts = connections.map((connection) =>
    toAccount(context, connector, { connection, signInSubjects: subjects }),
  );
  const first = connections.find(({ status }) => status !== 'disconnected');
  const stored = first && openCredentials(context, first);
  return {
    _id: connector.key,
    key: connector.key,
    title: connector.title,
    description: connector.description,
    entities: connector.entities.map(({ id, title }) => ({ id, title })),
    searchable: connector.entities.filter(({ search }) => search !== undefined).map(({ id }) => id),
    // On the wire, a connected provider is 'blocked'.
    isBlocked: first !== undefined,
    ...(connector.mark === undefined ? {} : { mark: connector.mark }),
    ...consentOf(connector, stored),
    ...connectForm(connector, stored),
    ...(unavailable === undefined ? {} : { unavailable }),
    connection: firstConnected(accounts),
    accounts,
  };
}

/** Lists all providers with the user's accounts at each. */
export async function listProviders(
  context: Context,
  registry: ConnectorRegistry,
  userId: string,
): Promise<Provider[]> {
  const all = await listConnections(context.db, userId);
  const identities = await listIdentities(context.db, userId);
  return registry.all().map((connector) =>
    toProvider(
      context,
      { connector, unavailable: registry.unavailable(connector.key) },
      {
        connections: all.filter(({ provider }) => provider === connector.key),
        signInSubjects: identities
          .filter(({ provider }) => provider === connector.key)
          .map(({ subject }) => subject),
      },
    ),
  );
}
