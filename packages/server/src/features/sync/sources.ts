import type { EntityDefinition } from '@datadeck/connectors';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { lockConnection } from '../connections/index.ts';
import { publishInvalidation } from '../notifications/index.ts';
import type { RecordSource } from '../records/index.ts';
import { chooseUsableAccount } from './choose-account.ts';
import { checkScopes, scopeKeyOf } from './resolve-scopes.ts';
import { sources } from './tables.ts';

/** The scopes that the syncs of a source read, and the day since which they read. */
export type StoredSource = Pick<typeof sources.$inferSelect, 'scopes' | 'since'>;

function isSource({ userId, connectionId, entity }: RecordSource) {
  return and(eq(sources.userId, userId), eq(sources.connectionId, connectionId), eq(sources.entity, entity));
}

/** Reads the scopes of a source; undefined if its settings select one. */
export async function findSource(db: Queryable, source: RecordSource): Promise<StoredSource | undefined> {
  const [found] = await db.select().from(sources).where(isSource(source));
  return found;
}

/** Lists the sources of a user with scopes. */
export async function listSources(db: Queryable, userId: string): Promise<(typeof sources.$inferSelect)[]> {
  return db.select().from(sources).where(eq(sources.userId, userId));
}

/** Stores the scopes of a source; without scopes, its settings select one again. */
export async function storeSource(tx: Queryable, source: RecordSource, values: StoredSource): Promise<void> {
  if (values.scopes.length === 0) {
    await tx.delete(sources).where(isSource(source));
    return;
  }
  const { userId, connectionId, entity } = source;
  await tx
    .insert(sources)
    .values({ userId, connectionId, entity, ...values })
    .onConflictDoUpdate({ target: [sources.userId, sources.connectionId, sources.entity], set: values });
}

/**
 * Saves the scopes that the syncs of an entity of an account read.
 * @throws AppError validation-failed, not-connected, reconnect-needed, demo-forbids
 */
export async function saveSource(
  context: Context,
  registry: ConnectorRegistry,
  request: {
    userId: string;
    providerId: string;
    entityLabel: string;
    account?: string | undefined;
    scopes: readonly string[];
    since?: string | null | undefined;
  },
): Promise<void> {
  const { userId, providerId, account, since = null } = request;
  const connector = registry.connector(providerId);
  const entity = registry.entity(providerId, request.entityLabel);
  const scopes = checkScopes(entity, request.scopes);
  const connection = await chooseUsableAccount(context.db, connector, { userId, entity: entity.id, account });
  const source = { userId, connectionId: connection.id, entity: entity.id };
  await context.db.transaction(async (tx) => {
    // Without its row, the data was deleted at the same time.
    if (await lockConnection(tx, connection)) await storeSource(tx, source, { scopes, since });
  });
  await publishInvalidation(context, userId, ['Entities']);
}

/** Names a scope of a source by its new place. */
export async function renameInSource(
  tx: Queryable,
  source: RecordSource,
  { entity, before, name }: { entity: EntityDefinition; before: string; name: string },
): Promise<void> {
  const { scopes: definition } = entity;
  const stored = await findSource(tx, source);
  if (!definition || !stored) return;
  const keyOf = (text: string) => (definition.isPattern(text) ? text : scopeKeyOf(entity, definition, text));
  const old = keyOf(before);
  const renamed = stored.scopes.map((text) => (keyOf(text) === old ? name : text));
  const scopes = [...new Map(renamed.map((text) => [keyOf(text), text])).values()];
  await storeSource(tx, source, { scopes, since: stored.since });
}

/** Deletes the sources of a connection, or of the whole user. */
export async function deleteSources(tx: Queryable, userId: string, connectionId?: string): Promise<void> {
  const byConnection = connectionId === undefined ? undefined : eq(sources.connectionId, connectionId);
  await tx.delete(sources).where(and(eq(sources.userId, userId), byConnection));
}
