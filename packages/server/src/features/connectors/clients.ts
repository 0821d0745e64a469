import type { OAuthClient } from '@datadeck/connectors';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { eq, getTableName } from 'drizzle-orm';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { openValue, type SealedColumn, sealValue } from '../../platform/secrets/sealed-columns.ts';
import { type Actor, recordAction } from '../accounts/index.ts';
import { requireConnector } from './drafts.ts';
import { connectorClients, SERVER_ID } from './tables.ts';

const clientSchema = z.object({
  id: z.string(),
  secret: z.string(),
  /** Address for which it was entered; it is sent to no other one. */
  tokenUrl: z.string(),
});
type BoundClient = z.infer<typeof clientSchema>;

/** The OAuth clients of connectors. */
export const CONNECTOR_CLIENTS: SealedColumn<BoundClient> = {
  table: getTableName(connectorClients),
  column: 'sealed',
  schema: clientSchema,
  contextOf: () => 'connector-client',
  nameOf: (_, id) => `the OAuth client ${id} of a connector`,
};

/** Lists the keys of connectors that have a client, with its id. */
export async function listClientIds(db: Queryable): Promise<Map<string, string>> {
  const rows = await db
    .select({ key: connectorClients.connectorKey, id: connectorClients.clientId })
    .from(connectorClients);
  return new Map(rows.map(({ key, id }) => [key, id]));
}

/**
 * Reads the client of a connector; undefined without one for this token address, and when it cannot be decrypted.
 */
export async function readClient(
  context: Context,
  { key, authentication }: Pick<ConnectorDocument, 'key' | 'authentication'>,
): Promise<OAuthClient | undefined> {
  const [row] = await context.db
    .select()
    .from(connectorClients)
    .where(eq(connectorClients.connectorKey, key));
  const client = row && openValue(context, CONNECTOR_CLIENTS, { userId: SERVER_ID, sealed: row.sealed });
  const isBound = 'tokenUrl' in authentication && authentication.tokenUrl === client?.tokenUrl;
  return isBound ? client : undefined;
}

/**
 * Stores the client of a connector in place of an earlier one, for the token address of its document.
 * @throws AppError not-found; validation-failed for a document without the page of a provider
 */
export async function storeClient(
  context: Context,
  {
    key,
    client,
    document,
    actor,
  }: { key: string; client: OAuthClient; document: ConnectorDocument; actor: Actor },
): Promise<void> {
  const { authentication } = document;
  if (authentication.kind !== 'oauth-code')
    throw new AppError(
      'validation-failed',
      'The document does not connect accounts on the page of the provider.',
    );
  const value = { ...client, tokenUrl: authentication.tokenUrl };
  const sealed = sealValue(context, CONNECTOR_CLIENTS, { userId: SERVER_ID, value });
  const values = { userId: SERVER_ID, clientId: client.id, sealed };
  await context.db.transaction(async (tx) => {
    await requireConnector(tx, key);
    await tx
      .insert(connectorClients)
      .values({ ...values, id: newId(), connectorKey: key })
      .onConflictDoUpdate({ target: connectorClients.connectorKey, set: values });
    await recordAction(tx, { actor, action: 'connector-client-changed', accountId: null, detail: key });
  });
}

/** Deletes the client of a connector. */
export async function deleteClient(tx: Queryable, key: string): Promise<void> {
  await tx.delete(connectorClients).where(eq(connectorClients.connectorKey, key));
}
