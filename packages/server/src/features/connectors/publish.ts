import { setTimeout as sleep } from 'node:timers/promises';
import { type Connector, declarationProblems } from '@datadeck/connectors';
import { type AdminAction, CONNECTOR_BOUNDS } from '@datadeck/contract';
import type { ConnectorDocument, DocumentEntity } from '@datadeck/contract/connector-document';
import { eq, sql } from 'drizzle-orm';
import type pg from 'pg';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { type Queryable, queryableOf } from '../../platform/db/database.ts';
import { sqlState } from '../../platform/db/failures.ts';
import { holdSchema } from '../../platform/db/migrate.ts';
import { inOpenTransaction, inTransaction } from '../../platform/db/transaction.ts';
import { type Actor, recordAction } from '../accounts/index.ts';
import { prepareRecordTables, readRecordTable, textArray } from '../records/index.ts';
import { prepareSearch } from '../search/index.ts';
import { prepareViews, revokeFromPublic } from '../sql-access/index.ts';
import { checkText, requireNoProblems, requireTables, type ServerRules } from './check-document.ts';
import { requireConnector, requireUnchanged, type SeenDraft } from './drafts.ts';
import { pruneVersions } from './prune-versions.ts';
import { findVersion, listKnownEntities, type PublishedConnector, type StoredVersion } from './published.ts';
import { chooseStoredNames } from './stored-names.ts';
import { connectorRecordings, connectors, connectorVersions } from './tables.ts';

/** What publishing needs of the product. */
export interface PublishDependencies {
  context: Context;
  rules: ServerRules;
  /** Declares the connector of a document. @throws Error for one that cannot be used */
  declare(published: Pick<PublishedConnector, 'document' | 'storedNames'>): Connector;
}

/** Attempts to get the locks of the tables, of 3 s each. */
const ATTEMPTS = 4;
/** Pause after the first attempt, ms; longer after the next ones. */
const PAUSE_MS = 500;
/** SQLSTATE of a lock that was not free in time, and of a deadlock. */
const LOCK_FAILURES = ['55P03', '40P01'];

/** Returns what decides which values a record has in the columns. */
function extractionParts({ columns, date, titleColumn }: DocumentEntity, names: unknown): string {
  const sorted = Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([sorted, date, titleColumn, names ?? {}]);
}

/** Returns the entities with their extraction versions: that of the version before, unless columns changed. */
function withExtractions(
  document: ConnectorDocument,
  version: number,
  { before, names }: { before: StoredVersion | undefined; names: PublishedConnector['storedNames'] },
): ConnectorDocument {
  const entities = document.entities.map((entity): DocumentEntity => {
    const former = before?.document.entities.find(({ id }) => id === entity.id);
    const isSame =
      former !== undefined &&
      extractionParts(former, before?.storedNames[entity.id]) === extractionParts(entity, names[entity.id]);
    return { ...entity, extraction: isSame ? former.extraction : version };
  });
  return { ...document, entities };
}

/** Chooses the names of all columns. @throws AppError validation-failed for a table that something else has */
async function namesOf(
  client: pg.ClientBase,
  { entities }: ConnectorDocument,
  version: number,
): Promise<PublishedConnector['storedNames']> {
  const names: Record<string, Record<string, string>> = {};
  for (const [index, entity] of entities.entries()) {
    const table = await readRecordTable(client, entity.id);
    if (table && !table.isOfRecords)
      throw new AppError(
        'validation-failed',
        `The id ${entity.id} cannot be used on this server. Choose another one.`,
        {
          fields: {
            [`entities.${index}.id`]: 'The database uses this name for something else. Choose another one.',
          },
        },
      );
    const chosen = chooseStoredNames(entity, table, version);
    if (Object.keys(chosen).length > 0) names[entity.id] = chosen;
  }
  return names;
}

/** Creates tables, search index and views of a version in the open transaction. @returns whether SQL access is used @throws AppError validation-failed, limit-reached */
async function prepare(
  client: pg.ClientBase,
  { context, declare }: PublishDependencies,
  published: Pick<PublishedConnector, 'key' | 'document' | 'storedNames'>,
): Promise<boolean> {
  const known = await listKnownEntities(queryableOf(client));
  for (const { id } of published.document.entities) known.add(id);
  requireTables(known.size);
  const connector = declare(published);
  const { entities } = connector;
  const problems = declarationProblems(connector);
  if (problems.length > 0) {
    context.log.warn({ key: published.key, problems }, 'a connector document is not usable');
    throw new AppError('validation-failed', problems[0] ?? 'The document cannot be used.');
  }
  await prepareRecordTables(client, entities, inOpenTransaction);
  await prepareSearch(client, entities, inOpenTransaction);
  return prepareViews(client, entities, inOpenTransaction);
}

/** Lets all results of the entities be computed again: a version may change templates alone. */
export async function forgetResultsOf(
  tx: Queryable,
  { entities }: { entities: readonly { id: string }[] },
): Promise<void> {
  const ids = textArray(entities.map(({ id }) => id));
  await tx.execute(sql`update record_versions set version = version + 1 where entity = any(${ids})`);
}

interface Publication {
  key: string;
  actor: Actor & { kind: 'account' };
  action: AdminAction;
  /** Returns the checked document to publish, within the transaction. */
  read(tx: Queryable): Promise<ConnectorDocument>;
}

/** @throws AppError validation-failed for an entity that a version of another connector has: its table is kept */
async function requireFreeEntities(
  tx: Queryable,
  key: string,
  { entities }: ConnectorDocument,
): Promise<void> {
  const others = await listKnownEntities(tx, { except: key });
  const index = entities.findIndex(({ id }) => others.has(id));
  if (index < 0) return;
  const message = `Another connector has or had the entity ${entities[index]?.id}. Choose another id.`;
  throw new AppError('validation-failed', message, { fields: { [`entities.${index}.id`]: message } });
}

/** Publishes a document as the next version in the transaction of a connection. @returns the version, and whether SQL access is used */
async function publishIn(
  client: pg.ClientBase,
  parts: PublishDependencies,
  { key, actor, action, read }: Publication,
): Promise<{ version: number; isSqlUsed: boolean }> {
  await holdSchema(client);
  const tx = queryableOf(client);
  // The draft and its version belong together: nobody saves another one until the end.
  await tx.execute(sql`select from connectors where key = ${key} for update`);
  const row = await requireConnector(tx, key);
  const document = await read(tx);
  await requireFreeEntities(tx, key, document);
  const { rows } = await client.query<{ next: number }>(
    'select coalesce(max(version), 0)::int + 1 as next from connector_versions where connector_key = $1',
    [key],
  );
  const version = rows[0]?.next ?? 1;
  const names = await namesOf(client, document, version);
  const before = row.version === null ? undefined : await findVersion(tx, key, row.version);
  const published = {
    key,
    storedNames: names,
    document: withExtractions(document, version, { before, names }),
  };
  const isSqlUsed = await prepare(client, parts, published);
  await tx.insert(connectorVersions).values({
    connectorKey: key,
    version,
    document: JSON.stringify(published.document),
    storedNames: names,
    publishedBy: actor.id,
  });
  const ended = action === 'connector-published' ? { draft: null, draftAt: null } : {};
  await tx
    .update(connectors)
    .set({ version, withdrawnAt: null, ...ended })
    .where(eq(connectors.key, key));
  await forgetResultsOf(tx, published.document);
  await tx.delete(connectorRecordings).where(eq(connectorRecordings.connectorKey, key));
  await pruneVersions(client, key, version - CONNECTOR_BOUNDS.versions);
  await recordAction(tx, { actor, action, accountId: null, detail: `${key}, version ${version}` });
  return { version, isSqlUsed };
}

/** Publishes within one transaction, which waits for the locks of the tables a few times. @throws AppError unavailable */
async function publishNext(parts: PublishDependencies, publication: Publication): Promise<number> {
  const { db, config } = parts.context;
  for (let attempt = 1; ; attempt++) {
    const client = await db.$client.connect();
    try {
      const { version, isSqlUsed } = await inTransaction(client, () => publishIn(client, parts, publication));
      const isEmbedded = config.DATABASE_URL === undefined;
      // New functions are open to every role, in the database that belongs to the product alone.
      if (isSqlUsed && isEmbedded)
        await revokeFromPublic(client, { isEmbedded }).catch((error: unknown) =>
          parts.context.log.warn({ err: error }, 'could not take rights of new functions from PUBLIC'),
        );
      return version;
    } catch (error) {
      if (!LOCK_FAILURES.includes(sqlState(error) ?? '')) throw error;
      if (attempt === ATTEMPTS)
        throw new AppError(
          'unavailable',
          'The tables of this connector are being read or written. Nothing was published; try again in a minute.',
          { cause: error },
        );
    } finally {
      client.release();
    }
    // Readers that waited for the locks come first.
    await sleep(attempt * PAUSE_MS);
  }
}

/**
 * Publishes the draft of a connector as its next version: creates its tables and columns, in one transaction with the version.
 * @returns the version
 * @throws AppError not-found; draft-outdated if the text was changed since; validation-failed with the faults by path; limit-reached;
 *   unavailable
 */
export async function publishDraft(
  parts: PublishDependencies,
  { key, changedAt, actor }: SeenDraft,
): Promise<number> {
  const readSeen = async (db: Queryable) => {
    const row = await requireConnector(db, key);
    await requireUnchanged(db, row, { changedAt, change: 'published' });
    return row.draft;
  };
  const draft = await readSeen(parts.context.db);
  if (draft === null) throw new AppError('validation-failed', 'There are no changes to publish.');
  const document = requireNoProblems(await checkText(draft, key, parts.rules));
  return publishNext(parts, {
    key,
    actor,
    action: 'connector-published',
    async read(tx) {
      // The row is locked now. It may have changed while the document was checked.
      await readSeen(tx);
      return document;
    },
  });
}

/** Publishes the document of an earlier version as the next one. The draft stays. @throws as `publishDraft` */
export async function restoreVersion(
  parts: PublishDependencies,
  { key, version, actor }: { key: string; version: number; actor: Actor & { kind: 'account' } },
): Promise<number> {
  const earlier = await findVersion(parts.context.db, key, version);
  if (!earlier) throw notFound(`Version ${version}`);
  const text = JSON.stringify(earlier.document);
  const document = requireNoProblems(await checkText(text, key, parts.rules));
  return publishNext(parts, { key, actor, action: 'connector-restored', read: async () => document });
}
