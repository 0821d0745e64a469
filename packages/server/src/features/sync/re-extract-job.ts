import type { EntityDefinition } from '@datadeck/connectors';
import { STALE_TAGS } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { BACKFILL_JOBS, type Jobs, type QueueDefinition } from '../../platform/jobs/jobs.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { publishInvalidation } from '../notifications/index.ts';
import { backfill } from '../records/index.ts';
import { reportChangedRecords } from './records-changed.ts';

/** Queue of backfills; all processes together run one at a time. */
export const BACKFILL_QUEUE: QueueDefinition = { name: 'backfill', ...BACKFILL_JOBS };

/** Minimum interval between two progress events to a user's pages, ms. Each event makes the pages reload the count. */
const PUBLISH_EVERY_MS = 5000;

/**
 * Enqueues a backfill and replaces a running one, which may have passed the sources that the caller changes or belong
 * to a dead process. Every step is a transaction, so no work is repeated.
 */
export async function startBackfill(tx: Queryable, jobs: Jobs): Promise<void> {
  await jobs.replace(BACKFILL_QUEUE.name, {}, { singletonKey: 'all', db: tx });
}

/** Starts a backfill if a run wrote by a declaration that is older than the published one. Logs failures: housekeeping starts one, too. */
export async function convertToPublished(
  { db, jobs, log }: Context,
  registry: ConnectorRegistry,
  written: Pick<EntityDefinition, 'id' | 'extraction'>,
): Promise<void> {
  const published = registry.findEntity(written.id);
  if (!published || written.extraction >= published.extraction) return;
  await db
    .transaction((tx) => startBackfill(tx, jobs))
    .catch((error: unknown) => log.warn({ err: error }, 'could not convert what a sync wrote'));
}

/** Prepares all sources. @throws AggregateError when some sources fail; the job is then retried */
async function prepareAll(context: Context, registry: ConnectorRegistry, signal: AbortSignal): Promise<void> {
  const publishedAt = new Map<string, number>();
  const failures: unknown[] = [];
  const entities = registry.entities();
  await backfill(context.db, entities, {
    isStopped: () => signal.aborted,
    onProgress: async ({ userId }) => {
      if (Date.now() - (publishedAt.get(userId) ?? 0) < PUBLISH_EVERY_MS) return;
      publishedAt.set(userId, Date.now());
      await publishInvalidation(context, userId, STALE_TAGS.records);
    },
    // Alerts compare with the rows of this version from now on.
    onPrepared: (tx, source) => reportChangedRecords(tx, context.jobs, source, { cause: 'upgrade' }),
    onFailure: (source, error) => {
      failures.push(error);
      if (!signal.aborted)
        context.log.error({ err: error, ...source }, 'could not prepare the records of a source');
    },
  });
  signal.throwIfAborted();
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} sources could not be prepared`);
}

/** Runs backfills in this process. Enqueues one at once, because an older version may have left records to prepare. */
export async function workOnBackfills(context: Context, registry: ConnectorRegistry): Promise<void> {
  const { db, jobs } = context;
  await db.transaction((tx) => startBackfill(tx, jobs));
  await jobs.work(BACKFILL_QUEUE.name, { concurrency: 1 }, ({ signal }) =>
    prepareAll(context, registry, signal),
  );
}
