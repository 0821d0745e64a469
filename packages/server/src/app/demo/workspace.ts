import { createDemoUser, openSession } from '../../features/accounts/index.ts';
import { insertBoard } from '../../features/boards/index.ts';
import { type ConnectorRegistry, createSampleConnection } from '../../features/connections/index.ts';
import { insertQuery } from '../../features/queries/index.ts';
import { deleteListedIds, writeRecords } from '../../features/records/index.ts';
import { insertPastSyncs } from '../../features/sync/index.ts';
import { insertCategory, insertView } from '../../features/views/index.ts';
import {
  type BulkTransaction,
  type Database,
  inBulkTransaction,
  type Queryable,
} from '../../platform/db/database.ts';
import { DEMO_SIGN_IN_QUEUE, withFairQueue } from '../../platform/fair-queue.ts';
import { sampleBoards } from './sample-boards.ts';
import { sampleHistory } from './sample-history.ts';
import { sampleRecords } from './sample-records.ts';
import { SAMPLE_CATEGORIES, SAMPLE_QUERIES, sampleViews } from './sample-views.ts';

/** Creates a demo user with a workspace filled with sample data, and a session. @returns the session's token */
export async function signInToDemo(db: Database, registry: ConnectorRegistry): Promise<string> {
  const create = async (tx: BulkTransaction) => {
    const { id } = await createDemoUser(tx);
    await fillRecords(tx, registry, id);
    for (const { title, query } of SAMPLE_QUERIES) await insertQuery(tx, id, { title, expression: query });
    await fillViews(tx, registry, id);
    return id;
  };
  const userId = await withFairQueue(DEMO_SIGN_IN_QUEUE, () => inBulkTransaction(db, create));
  return openSession(db, userId);
}

async function fillRecords(tx: BulkTransaction, registry: ConnectorRegistry, userId: string): Promise<void> {
  const now = new Date();
  const sample = await sampleRecords(now);
  const google = await createSampleConnection(tx, userId, 'google', sample.mailAccount);
  const github = await createSampleConnection(tx, userId, 'github', sample.codeAccount);
  const history = sampleHistory(sample, { google, github }, now);
  const ids = await insertPastSyncs(tx, userId, history);
  const filled = {
    'gmail-labels': sample.labels,
    'gmail-messages': sample.messages,
    'gh-pulls': sample.pulls,
    'gh-runs': sample.runs,
  };
  for (const [entity, records] of Object.entries(filled)) {
    // Distributes the records over the runs of the history, oldest records first.
    const remaining = records.toSorted((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime());
    for (const [index, past] of history.entries()) {
      const syncId = ids[index];
      if (past.entity !== entity || !syncId || !past.summary.added) continue;
      const { connectionId, scope } = past;
      const target = { userId, connectionId, entity, syncId, scope };
      await writeRecords(tx, target, {
        entity: registry.entity(past.provider, entity),
        records: remaining.splice(0, past.summary.added),
      });
      await deleteListedIds(tx, userId, syncId);
    }
  }
}

async function fillViews(tx: Queryable, registry: ConnectorRegistry, userId: string): Promise<void> {
  const categories = new Map<string, string>();
  for (const title of SAMPLE_CATEGORIES)
    categories.set(title, (await insertCategory(tx, userId, { title }))._id);
  const views = new Map<string, string>();
  for (const view of sampleViews(await sampleRecords(new Date()))) {
    const filled = {
      title: view.title,
      description: view.description,
      expression: view.query,
      provider: view.provider,
      entity: view.entity,
      templateKey: view.templateKey,
      basedOn: view.basedOn === undefined ? undefined : views.get(view.basedOn),
      ...(view.bases && { bases: view.bases }),
      ...(view.parameters && { parameters: view.parameters }),
      categoryId: view.category === undefined ? undefined : categories.get(view.category),
    };
    const { _id } = await insertView(tx, registry, { userId, view: filled });
    views.set(view.title, _id);
  }
  for (const board of sampleBoards(views)) await insertBoard(tx, userId, board);
}
