import { STALE_TAGS } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { type Jobs, type QueueDefinition, UNLIMITED_RETRIES } from '../../platform/jobs/jobs.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { publishInvalidation } from '../notifications/index.ts';
import { backfill } from './storage/index.ts';

/** One backfill at a time, by whichever process takes its job. */
export const BACKFILL_QUEUE: QueueDefinition = {
  name: 'backfill',
  policy: 'exclusive',
  expireInSeconds: 12 * 3600,
  heartbeatSeconds: 10,
  retryLimit: UNLIMITED_RETRIES,
  retryDelay: 10,
  retryBackoff: true,
  retryDelayMax: 900,
};

/** Least time between two messages to a user's pages, ms: each page then counts what is left. */
const PUBLISH_EVERY_MS = 5000;

/**
 * Enqueues a backfill, in place of one under way: that one may be past the sources that the caller's transaction changes,
 * or belong to a dead process. Every step is a transaction of its own, so nothing is done twice.
 */
export async function startBackfill(tx: Queryable, jobs: Jobs): Promise<void> {
  await jobs.replace(BACKFILL_QUEUE.name, {}, { singletonKey: 'all', db: tx });
}

/** Prepares all sources. @throws AggregateError when some cannot be prepared: the job is then retried */
async function prepareAll(context: Context, registry: ConnectorRegistry, signal: AbortSignal): Promise<void> {
  const publishedAt = new Map<string, number>();
  const failures: unknown[] = [];
  const entities = registry.all().flatMap((connector) => connector.entities);
  await backfill(context.db, entities, {
    isStopped: () => signal.aborted,
    onProgress: async ({ userId }) => {
      if (Date.now() - (publishedAt.get(userId) ?? 0) < PUBLISH_EVERY_MS) return;
      publishedAt.set(userId, Date.now());
      await publishInvalidation(context, userId, STALE_TAGS.records);
    },
    onFailure: (source, error) => {
      failures.push(error);
      if (!signal.aborted) context.log.error({ err: error, ...source }, 'records could not be prepared');
    },
  });
  signal.throwIfAborted();
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} sources are not prepared`);
}

/** Runs backfills in this process, the first one now: an older version may have left records to prepare. */
export async function workOnBackfills(context: Context, registry: ConnectorRegistry): Promise<void> {
  const { db, jobs } = context;
  await db.transaction((tx) => startBackfill(tx, jobs));
  await jobs.work(BACKFILL_QUEUE.name, { concurrency: 1 }, ({ signal }) =>
    prepareAll(context, registry, signal),
  );
}
