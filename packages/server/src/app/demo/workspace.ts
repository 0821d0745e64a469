import { BOARD_VIEWS, boardParts, READY_BOARDS, storedTiles } from '@datadeck/contract';
import { createDemoUser, openSession } from '../../features/accounts/index.ts';
import { insertBoard } from '../../features/boards/index.ts';
import { type ConnectorRegistry, createSampleConnection } from '../../features/connections/index.ts';
import { insertQuery } from '../../features/queries/index.ts';
import { deleteListedIds, writeRecords } from '../../features/records/index.ts';
import { insertPastSyncs } from '../../features/sync/index.ts';
import { insertCategory, insertReadyViews } from '../../features/views/index.ts';
import {
  type BulkTransaction,
  type Database,
  inBulkTransaction,
  type Queryable,
} from '../../platform/db/database.ts';
import { DEMO_SIGN_IN_QUEUE, withFairQueue } from '../../platform/fair-queue.ts';
import { sampleHistory } from './sample-history.ts';
import { sampleRecords } from './sample-records.ts';
import { SAMPLE_CATEGORIES, SAMPLE_QUERIES } from './sample-views.ts';

/** Keys of the providers that have sample data. */
const SAMPLE_PROVIDERS: ReadonlySet<string> = new Set(['google', 'github']);

/** Creates a demo user with a workspace filled with sample data, and a session. @returns the session's token */
export async function signInToDemo(db: Database, registry: ConnectorRegistry): Promise<string> {
  const create = async (tx: BulkTransaction) => {
    const { id } = await createDemoUser(tx);
    await fillRecords(tx, registry, id);
    for (const { title, query } of SAMPLE_QUERIES) await insertQuery(tx, id, { title, expression: query });
    await fillBoards(tx, registry, id);
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

/** Creates all ready-made boards, with their views in categories. */
async function fillBoards(tx: Queryable, registry: ConnectorRegistry, userId: string): Promise<void> {
  const categories = new Map<string, string>();
  for (const [title, views] of Object.entries(SAMPLE_CATEGORIES)) {
    const { _id } = await insertCategory(tx, userId, { title });
    for (const view of views) categories.set(view, _id);
  }
  const { ids } = await insertReadyViews(tx, registry, {
    userId,
    views: BOARD_VIEWS,
    connected: SAMPLE_PROVIDERS,
    categoryOf: (title) => categories.get(title),
  });
  for (const board of READY_BOARDS) {
    const { tiles } = boardParts(board, SAMPLE_PROVIDERS);
    await insertBoard(tx, userId, { title: board.title, tiles: storedTiles(tiles, ids) });
  }
}
