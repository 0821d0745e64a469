import { type Claim, claimRun } from '../src/features/sync/claim.ts';
import { sendMissingJobs } from '../src/features/sync/queue.ts';
import { syncs } from '../src/features/sync/tables.ts';
import type { SyncRow } from '../src/features/sync/to-response.ts';
import type { Context } from '../src/platform/context/index.ts';
import type { Queryable } from '../src/platform/db/database.ts';
import { takeJob } from './take-job.ts';
import { TEST_ENTITY } from './test-entity.ts';

/** A started run of the test entity. */
export interface StartedRun {
  userId: string;
  syncId: string;
  /** The same as the id of the user. */
  connectionId: string;
}

/** A run that has been claimed. */
export interface TakenRun {
  claim: Claim;
  run: SyncRow;
}

interface RunToStart {
  userId?: string;
  number?: number;
  cap?: number;
  scope?: string;
  /** Null for a full run. */
  startCursor?: unknown;
}

/** Stores a started run with its job; by default the first full run of a new user, with a cap of 1,000 records. */
export async function insertRun(
  context: Context,
  { userId = crypto.randomUUID(), number = 1, cap = 1000, scope = 'a', startCursor = null }: RunToStart = {},
): Promise<StartedRun> {
  const syncId = crypto.randomUUID();
  const about = { userId, id: syncId, connectionId: userId, provider: 'github', entity: TEST_ENTITY.id };
  const state = { number, status: 'started', cap, counters: {}, phase: 'queued' } as const;
  await context.db.insert(syncs).values({ ...about, scope, startCursor, settings: {}, ...state });
  await sendMissingJobs(context);
  return { userId, syncId, connectionId: userId };
}

/** Claims a run as the next attempt, as a process does after another one died. @param db assigns the job to the process */
export async function takeOver(
  on: Context,
  { userId, syncId }: StartedRun,
  db: Queryable = on.db,
): Promise<TakenRun> {
  const claim = { userId, syncId, ...(await takeJob(db, syncId)) };
  const run = await claimRun(on, claim);
  if (!run) throw new Error('the run cannot be claimed');
  return { claim, run };
}
