import type { AdminFinding, AdminHealth } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { readEntityTables } from '../../features/sync/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { readDiskSpace } from '../../platform/embedded-postgres/disk-space.ts';
import { countUnfinishedJobs, readWaitingJobs } from '../../platform/jobs/job-metrics.ts';
import { checkDisk } from '../doctor/system-checks.ts';
import type { Product } from '../product.ts';
import { blockedReason } from '../readiness.ts';

type DatabaseSize = NonNullable<AdminHealth['database']>;

const STARTED_AT = new Date(Date.now() - process.uptime() * 1000).toISOString();

async function readDatabase(db: Queryable): Promise<DatabaseSize> {
  const { rows } = await db.execute<DatabaseSize>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes`);
  return rows[0] ?? { version: '', bytes: 0 };
}

function readDisk(folder: string): AdminHealth['disk'] {
  try {
    const { free, size } = readDiskSpace(folder);
    return { free, size };
  } catch {
    // The folder is missing, for example in a process with an external database.
    return null;
  }
}

/** Returns the work of each queue, in the order of their definition. */
async function readJobs({ context: { db, jobs } }: Product): Promise<AdminHealth['jobs']> {
  const unfinished = new Map((await countUnfinishedJobs(db)).map((one) => [one.queue, one]));
  return (await readWaitingJobs(db, jobs.names)).map(({ queue, waiting, oldest_seconds: oldestSeconds }) => ({
    queue,
    waiting,
    running: unfinished.get(queue)?.running ?? 0,
    failed: unfinished.get(queue)?.failed ?? 0,
    oldestSeconds,
  }));
}

function databaseFinding(blocked: string | undefined): AdminFinding {
  return blocked === undefined
    ? { state: 'ok', text: 'The database answers and can be written.' }
    : { state: 'problem', text: `Not ready: ${blocked}.`, advice: 'The log of Datadeck has the details.' };
}

/** Reads what the database knows. @returns nothing of it when it does not answer and `blocked` says so */
async function readStored(
  product: Product,
  blocked: string | undefined,
): Promise<Pick<AdminHealth, 'database' | 'tables' | 'jobs'>> {
  const { context, registry } = product;
  try {
    return {
      database: await readDatabase(context.db),
      tables: await readEntityTables(context, registry),
      jobs: await readJobs(product),
    };
  } catch (error) {
    if (blocked === undefined) throw error;
    context.log.warn({ err: error }, 'could not read the state of the database');
    return { database: null, tables: [], jobs: [] };
  }
}

/** Returns the state of this process, of the database, and of background work. */
export async function readHealth(product: Product): Promise<AdminHealth> {
  const { context, version } = product;
  const blocked = await blockedReason(product);
  return {
    checks: [databaseFinding(blocked), ...checkDisk(context.config)],
    version,
    node: process.versions.node,
    startedAt: STARTED_AT,
    disk: readDisk(context.config.DATA_DIR),
    ...(await readStored(product, blocked)),
  };
}
