import type { EntityDefinition } from '@datadeck/connectors';
import { and, eq, ne, or, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { deleteListedIds, type MergedScopes, renameScope } from '../records/index.ts';
import { type Claim, ClaimLost, isHeldBy, lockRun } from './claim.ts';
import { cursorFor, findCursor } from './cursors.ts';
import { scopeKeyOf } from './resolve-scopes.ts';
import { isScopeOf, nameOfScope } from './run-scopes.ts';
import { renameInSource } from './sources.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncCursors, syncScopes, syncs } from './tables.ts';
import type { SyncRow } from './to-response.ts';

/** The new place of a scope. */
interface MovedScope {
  entity: EntityDefinition;
  settings: Readonly<Record<string, string>>;
}

/**
 * Moves the cursor of a scope, unless the new place has one of its own. A cursor ends with the records of the other scope: only a
 * full run knows which of them the provider still has.
 */
async function moveCursor(
  tx: Queryable,
  run: SyncRow,
  { scope, joined, others }: MergedScopes & { scope: string },
): Promise<void> {
  const isOf = (name: string) => and(isSyncStateOf(syncCursors, run), eq(syncCursors.scope, name));
  const hasOwn = (await findCursor(tx, run, scope)) !== undefined;
  if (hasOwn ? joined > 0 : others > 0) await tx.delete(syncCursors).where(or(isOf(run.scope), isOf(scope)));
  else if (hasOwn) await tx.delete(syncCursors).where(isOf(run.scope));
  else await tx.update(syncCursors).set({ scope }).where(isOf(run.scope));
}

/**
 * Stores that the scope that a run reads is at another place: its records, its cursor and the choice of the source follow. The run
 * then reads the new place. Records of a scope that the run also reads under the new name are not read twice.
 * @returns the run, which begins the scope again
 * @throws ClaimLost
 */
export async function commitMove(
  context: Context,
  claim: Claim,
  run: SyncRow,
  { entity, settings }: MovedScope,
): Promise<SyncRow> {
  const scope = entity.scopeOf(settings);
  return context.db.transaction(async (tx) => {
    await lockRun(tx, claim);
    await deleteListedIds(tx, run.userId, run.id);
    if (scope !== run.scope) {
      const merged = await renameScope(tx, { ...run, from: run.scope, to: scope });
      await moveCursor(tx, run, { scope, ...merged });
      await renameInRun(tx, run, { entity, settings });
    }
    const startCursor = await cursorFor(tx, run, { scope, cap: run.cap, since: run.since });
    const [saved] = await tx
      .update(syncs)
      .set({ scope, settings, startCursor, checkpoint: null, counters: run.counters, total: null })
      .where(isHeldBy(claim))
      .returning();
    if (!saved) throw new ClaimLost();
    return saved;
  });
}

/** Names the scope by its new place in the run and in the source, and takes it from the scopes that are still to be read. */
async function renameInRun(tx: Queryable, run: SyncRow, { entity, settings }: MovedScope): Promise<void> {
  const { scopes } = entity;
  if (!scopes || run.scopeCount === null) return;
  const before = await nameOfScope(tx, run, run.place);
  const name = scopes.nameOf(settings);
  const isOfRun = isScopeOf(run);
  const waiting = await tx
    .select({ place: syncScopes.place, name: syncScopes.name })
    .from(syncScopes)
    .where(and(isOfRun, eq(syncScopes.status, 'waiting'), ne(syncScopes.place, run.place)));
  const key = scopeKeyOf(entity, scopes, name);
  const twin = waiting.find((one) => scopeKeyOf(entity, scopes, one.name) === key);
  // The twin keeps its place in the run and reads what has not changed since.
  if (!twin)
    await tx
      .update(syncScopes)
      .set({ name, message: sql`${`It was called ${before}.`}` })
      .where(and(isOfRun, eq(syncScopes.place, run.place)));
  await renameInSource(tx, run, { entity, before, name });
}
