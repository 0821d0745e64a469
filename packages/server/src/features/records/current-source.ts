import type { Context } from '../../platform/context/index.ts';
import { type ConnectorRegistry, findCurrentConnection } from '../connections/index.ts';
import type { RecordSource } from './source.ts';

/** Finds the source of a user's templates of an entity; undefined before the provider was first connected. */
export async function sourceOf(
  context: Context,
  registry: ConnectorRegistry,
  user: { userId: string; entity: string },
): Promise<RecordSource | undefined> {
  const connector = registry.providerOf(user.entity);
  const connection = await findCurrentConnection(context.db, user.userId, connector.key);
  return connection ? { userId: user.userId, connectionId: connection.id, entity: user.entity } : undefined;
}
