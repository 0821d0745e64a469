import {
  CONNECTOR_BOUNDS,
  type ConnectorDetail,
  type ConnectorProblem,
  type ConnectorSummary,
} from '@datadeck/contract';
import { isRecord } from '@datadeck/contract/table-columns';
import { asc, count, desc, eq, sql } from 'drizzle-orm';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type Actor, findLastActor, recordAction } from '../accounts/index.ts';
import { checkText, type ServerRules } from './check-document.ts';
import { findVersion, type StoredVersion } from './published.ts';
import { listRecordings } from './recordings.ts';
import { connectorClients, connectorRecordings, connectors, connectorVersions } from './tables.ts';

export type ConnectorRow = typeof connectors.$inferSelect;

/** Finds a connector that is not being deleted. @throws AppError not-found */
export async function requireConnector(db: Queryable, key: string): Promise<ConnectorRow> {
  const [found] = await db.select().from(connectors).where(eq(connectors.key, key));
  if (!found || found.deletedAt) throw notFound(`The connector '${key}'`);
  return found;
}

/** Finds the published version; undefined for a connector that was never published. */
async function findPublished(
  db: Queryable,
  { key, version }: ConnectorRow,
): Promise<StoredVersion | undefined> {
  return version === null ? undefined : findVersion(db, key, version);
}

type Named = Partial<Record<'title' | 'description', unknown>>;

/** Returns how a document names itself. */
function nameOf({ title, description }: Named, key: string): { title: string; description: string } {
  return {
    title: typeof title === 'string' && title.trim() !== '' ? title.slice(0, 80) : key,
    description: typeof description === 'string' ? description.slice(0, 300) : '',
  };
}

/** Reads the text of a draft, as far as it is an object. */
function readDraft(text: string | null): Named {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

async function toSummary(
  db: Queryable,
  { key, version, withdrawnAt, draft, draftAt }: ConnectorRow,
  published: StoredVersion | undefined,
): Promise<ConnectorSummary> {
  const { rows } = await db.execute<{ accounts: number }>(
    sql`select count(*)::int as accounts from connections where provider = ${key} and status <> 'disconnected'`,
  );
  return {
    key,
    ...nameOf(published?.document ?? readDraft(draft), key),
    state: version === null ? 'draft' : withdrawnAt ? 'withdrawn' : 'published',
    version,
    publishedAt: published?.publishedAt.toISOString() ?? null,
    draftAt: draftAt?.toISOString() ?? null,
    accounts: rows[0]?.accounts ?? 0,
  };
}

/** Lists the connectors by key; there are at most 50. */
export async function listConnectors(db: Queryable): Promise<ConnectorSummary[]> {
  const rows = await db
    .select()
    .from(connectors)
    .orderBy(asc(connectors.key))
    .limit(CONNECTOR_BOUNDS.connectors);
  const summaries: ConnectorSummary[] = [];
  for (const row of rows)
    if (!row.deletedAt) summaries.push(await toSummary(db, row, await findPublished(db, row)));
  return summaries.sort((a, b) => a.title.localeCompare(b.title, 'en'));
}

/** Returns when the text of a connector was saved or published. */
function changeTime({ draftAt, createdAt }: ConnectorRow, published: StoredVersion | undefined): Date {
  return draftAt ?? published?.publishedAt ?? createdAt;
}

/** Returns a connector with its document and versions. @throws AppError not-found */
export async function readConnector(
  db: Queryable,
  key: string,
  { rules, publicUrl }: { rules: ServerRules; publicUrl: string },
): Promise<ConnectorDetail> {
  const row = await requireConnector(db, key);
  const published = await findPublished(db, row);
  const document = row.draft ?? JSON.stringify(published?.document, null, 2);
  const versions = await db
    .select({
      version: connectorVersions.version,
      publishedAt: connectorVersions.publishedAt,
      publishedBy: sql<
        string | null
      >`(select u.name from users u where u.id = ${connectorVersions.publishedBy})`,
    })
    .from(connectorVersions)
    .where(eq(connectorVersions.connectorKey, key))
    .orderBy(desc(connectorVersions.version))
    .limit(CONNECTOR_BOUNDS.versions + 1);
  const { problems } = await checkText(document, key, rules);
  const editor = row.draft === null ? undefined : await findLastActor(db, 'connector-edited', key);
  const clients = await db.select().from(connectorClients).where(eq(connectorClients.connectorKey, key));
  return {
    ...(await toSummary(db, row, published)),
    document,
    changedAt: changeTime(row, published).toISOString(),
    changedBy:
      (row.draft === null
        ? versions.find(({ version }) => version === row.version)?.publishedBy
        : editor?.name) ?? '',
    problems,
    versions: versions.map((one) => ({
      version: one.version,
      publishedAt: one.publishedAt.toISOString(),
      publishedBy: one.publishedBy ?? '',
    })),
    callbackUrl: `${publicUrl}/auth/${key}/callback`,
    clientId: clients[0]?.clientId ?? null,
    recordings: await listRecordings(db, key),
  };
}

/** A text to save as a draft. */
interface SavedDraft {
  key: string;
  document: string;
  changedAt: string | null;
  actor: Actor & { kind: 'account' };
}

/** @throws AppError draft-outdated if the text of a connector is not the one of `changedAt`, null for none */
export async function requireUnchanged(
  tx: Queryable,
  row: ConnectorRow | undefined,
  { changedAt, change }: { changedAt: string | null; change: 'saved' | 'published' | 'discarded' },
): Promise<void> {
  const stored = row && changeTime(row, await findPublished(tx, row)).toISOString();
  if (stored === (changedAt ?? undefined)) return;
  const message = row
    ? `The draft was changed elsewhere. Nothing was ${change}.`
    : `The connector was deleted. Nothing was ${change}.`;
  throw new AppError('draft-outdated', message);
}

/**
 * Saves the draft of a connector. The audit log notes who begins or takes over a draft, not each save.
 * @param changedAt when the text was changed that this one replaces; null creates the connector
 * @throws AppError draft-outdated if it was changed since; limit-reached, also while the connector is deleted
 */
export async function saveDraft(
  { db }: Pick<Context, 'db'>,
  { key, document, changedAt, actor }: SavedDraft,
  rules: ServerRules,
): Promise<{ problems: ConnectorProblem[]; draftAt: string }> {
  const { problems } = await checkText(document, key, rules);
  const draftAt = await db.transaction(async (tx) => {
    // One at a time, so that the limit and the precondition hold.
    await tx.execute(sql`lock table connectors in share row exclusive mode`);
    const [stored] = await tx.select().from(connectors).where(eq(connectors.key, key));
    if (stored?.deletedAt)
      throw new AppError(
        'limit-reached',
        `The data of the connector ${key} is being deleted. Try again in a minute.`,
      );
    await requireUnchanged(tx, stored, { changedAt, change: 'saved' });
    const [counted] = await tx.select({ n: count() }).from(connectors);
    if (!stored && (counted?.n ?? 0) >= CONNECTOR_BOUNDS.connectors)
      throw new AppError(
        'limit-reached',
        `This server may have ${CONNECTOR_BOUNDS.connectors} connectors. Delete one that is no longer used.`,
      );
    const editor = stored?.draft == null ? undefined : await findLastActor(tx, 'connector-edited', key);
    if (editor?.id !== actor.id)
      await recordAction(tx, { actor, action: 'connector-edited', accountId: null, detail: key });
    const now = new Date();
    await tx
      .insert(connectors)
      .values({ key, draft: document, draftAt: now })
      .onConflictDoUpdate({ target: connectors.key, set: { draft: document, draftAt: now } });
    return now;
  });
  return { problems, draftAt: draftAt.toISOString() };
}

/** A draft that an administrator saw and ends. */
export interface SeenDraft {
  key: string;
  /** When its text was changed, ISO 8601. */
  changedAt: string;
  actor: Actor & { kind: 'account' };
}

/**
 * Discards the draft of a connector; one that was never published goes.
 * @throws AppError not-found; draft-outdated if the text was changed since
 */
export async function discardDraft(
  { db }: Pick<Context, 'db'>,
  { key, changedAt, actor }: SeenDraft,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select from connectors where key = ${key} for update`);
    const row = await requireConnector(tx, key);
    await requireUnchanged(tx, row, { changedAt, change: 'discarded' });
    const { version, draft } = row;
    if (draft !== null)
      await recordAction(tx, { actor, action: 'connector-discarded', accountId: null, detail: key });
    await tx.delete(connectorRecordings).where(eq(connectorRecordings.connectorKey, key));
    if (version === null) await tx.delete(connectorClients).where(eq(connectorClients.connectorKey, key));
    if (version === null) await tx.delete(connectors).where(eq(connectors.key, key));
    else await tx.update(connectors).set({ draft: null, draftAt: null }).where(eq(connectors.key, key));
  });
}
