import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { Counters } from './counters.ts';
import { syncs } from './tables.ts';
import type { SyncRow } from './wire.ts';

/** A worker that does not renew its lease for so long is taken for dead. */
export const LEASE_SECONDS = 12;
export const HEARTBEAT_MS = 3000;

/** When a lease that is taken or prolonged now ends. */
export const leaseEnd = sql`now() + make_interval(secs => ${LEASE_SECONDS})`;

/** The run was taken over, cancelled or deleted while this worker held it: nothing may be written any more. */
export class LeaseLost extends Error {
  constructor() {
    super('the sync is no longer held by this worker');
    this.name = 'LeaseLost';
  }
}

export interface Lease {
  userId: string;
  syncId: string;
  owner: string;
}

/** What a run that rests has waited since it was given back; `least` and `greatest` pass over what is null. */
const restedMs = sql`1000 * extract(epoch from least(now(), ${syncs.waitingUntil}) - ${syncs.updatedAt})::float8`;
const countersAfterRest = sql`case ${syncs.phase} when 'waiting'
  then ${syncs.counters} || jsonb_build_object('waitedMs', coalesce((${syncs.counters}->>'waitedMs')::float8, 0) + greatest(0, ${restedMs}))
  else ${syncs.counters} end`;

/** Takes a started sync whose lease is free or expired; undefined when another worker holds it. */
export async function acquireLease(context: Context, lease: Lease): Promise<SyncRow | undefined> {
  const [row] = await context.db
    .update(syncs)
    .set({
      leaseOwner: lease.owner,
      leaseUntil: leaseEnd,
      waitingUntil: null,
      phase: 'fetching',
      counters: countersAfterRest,
    })
    .where(and(isRunning(lease), sql`(${syncs.leaseUntil} is null or ${syncs.leaseUntil} < now())`))
    .returning();
  return row;
}

/** The condition that names a sync while it runs. */
export function isRunning({ userId, syncId }: Omit<Lease, 'owner'>) {
  return and(eq(syncs.userId, userId), eq(syncs.id, syncId), eq(syncs.status, 'started'));
}

/** The condition under which a worker may write about its sync. */
export function held(lease: Lease) {
  return and(isRunning(lease), eq(syncs.leaseOwner, lease.owner));
}

/** The same, and the sync stands where this worker left it: a database that died may have lost the last page. */
export function heldAt(lease: Lease, { checkpoint }: Pick<SyncRow, 'checkpoint'>) {
  const known = checkpoint === null ? null : JSON.stringify(checkpoint);
  return and(held(lease), sql`${syncs.checkpoint} is not distinct from ${known}::jsonb`);
}

/** Prolongs the lease. @throws LeaseLost also when the run was cancelled */
export async function renewLease(db: Queryable, lease: Lease): Promise<void> {
  const renewed = await db
    .update(syncs)
    .set({ leaseUntil: leaseEnd })
    .where(held(lease))
    .returning({ id: syncs.id });
  if (renewed.length === 0) throw new LeaseLost();
}

/**
 * Gives the sync back for another worker; the checkpoint stays.
 * @param counters what the run has come to, what it spent since its checkpoint included
 * @param waitingUntil not before this instant
 */
export async function releaseLease(
  context: Context,
  lease: Lease,
  counters: Counters,
  waitingUntil?: Date,
): Promise<void> {
  await context.db
    .update(syncs)
    .set({
      counters,
      leaseOwner: null,
      leaseUntil: null,
      waitingUntil: waitingUntil ?? null,
      ...(waitingUntil ? { phase: 'waiting', updatedAt: new Date() } : { phase: 'queued' }),
    })
    .where(held(lease));
}
