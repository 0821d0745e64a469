import { eq, isNotNull, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { type Database, type Queryable, queryableOf } from '../../platform/db/database.ts';
import { holdSchema } from '../../platform/db/migrate.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { type Actor, recordAction } from '../accounts/index.ts';
import { dropRecordTable, isEmptyTable } from '../records/index.ts';
import { dropSearch } from '../search/index.ts';
import { deleteClient } from './clients.ts';
import { requireConnector } from './drafts.ts';
import { listKnownEntities } from './published.ts';
import { connectorRecordings, connectors, connectorVersions } from './tables.ts';

/**
 * Deletes a connector: nobody sees it any more, and `finishDeletions` removes what users have of it.
 * @throws AppError not-found; validation-failed for a wrong confirmation
 */
export async function deleteConnector(
  { db }: Pick<Context, 'db'>,
  { key, confirmation, actor }: { key: string; confirmation: string; actor: Actor },
): Promise<void> {
  if (confirmation !== key)
    throw new AppError('validation-failed', 'The confirmation is not the key of this connector.', {
      fields: { confirmation: `Must be ${key}` },
    });
  await db.transaction(async (tx) => {
    await requireConnector(tx, key);
    await tx.update(connectors).set({ deletedAt: new Date() }).where(eq(connectors.key, key));
    await recordAction(tx, { actor, action: 'connector-deleted', accountId: null, detail: key });
  });
}

/** Lists the connectors whose data is being removed. */
export async function listDeleted(db: Database): Promise<string[]> {
  const rows = await db
    .select({ key: connectors.key })
    .from(connectors)
    .where(isNotNull(connectors.deletedAt));
  return rows.map(({ key }) => key);
}

/** Lists users who have accounts, disconnected ones too, at a provider; a hundred at most. */
export async function listUsersOf(db: Queryable, provider: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select distinct user_id as id from connections where provider = ${provider} limit 100`,
  );
  return rows.map(({ id }) => id);
}

/** Drops the tables of a deleted connector, and its row, once no record is left. @returns whether it is gone */
export async function dropConnector(db: Database, key: string): Promise<boolean> {
  const client = await db.$client.connect();
  try {
    return await inTransaction(client, async () => {
      await holdSchema(client);
      const tx = queryableOf(client);
      if ((await listUsersOf(tx, key)).length > 0) return false;
      const others = await listKnownEntities(tx, { except: key });
      const entities = [...(await listKnownEntities(tx, { of: key }))].filter((id) => !others.has(id));
      for (const entity of entities) if (!(await isEmptyTable(client, entity))) return false;
      for (const entity of entities) {
        await dropSearch(client, await dropRecordTable(client, entity));
      }
      await tx.delete(connectorRecordings).where(eq(connectorRecordings.connectorKey, key));
      await deleteClient(tx, key);
      await tx.delete(connectorVersions).where(eq(connectorVersions.connectorKey, key));
      await tx.delete(connectors).where(eq(connectors.key, key));
      return true;
    });
  } finally {
    client.release();
  }
}
