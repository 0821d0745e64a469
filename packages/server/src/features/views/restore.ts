import { createViewSchema, type DeletedView, type View } from '@datadeck/contract';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { lockViews } from './lock-views.ts';
import { insertView, removeView } from './store.ts';
import { views } from './tables.ts';
import { fromCreateView, toCreateView, type ViewRow } from './to-response.ts';

/** How long a deletion can be undone, ms. The screen offers it for seconds; the rest allows for slow connections. */
const UNDO_LIFETIME_MS = 10 * 60_000;

const sealedSchema = z.object({ key: z.string(), iv: z.string(), tag: z.string(), text: z.string() });
const deletedSchema = z.object({ id: z.string(), until: z.number(), view: createViewSchema });

/** The encryption context, which binds sealed data to its owner and purpose. */
const contextOf = (userId: string) => `deleted-view ${userId}`;

/**
 * Encrypts a deleted view for its owner, who can return it to undo the deletion; the server keeps nothing. So even a
 * demo user, who may not create views, can restore exactly this one.
 */
function sealDeleted({ keyring }: Context, row: ViewRow): string {
  const text = JSON.stringify({ id: row.id, until: Date.now() + UNDO_LIFETIME_MS, view: toCreateView(row) });
  return JSON.stringify(keyring.seal(text, contextOf(row.userId)));
}

function openDeleted({ keyring }: Context, userId: string, undo: string): z.infer<typeof deletedSchema> {
  try {
    const sealed = sealedSchema.parse(JSON.parse(undo));
    const deleted = deletedSchema.parse(JSON.parse(keyring.open(sealed, contextOf(userId))));
    if (deleted.until > Date.now()) return deleted;
  } catch {
    // The data belongs to another user, was changed, or its key is missing.
  }
  throw new AppError('validation-failed', 'This deletion can no longer be undone.');
}

/**
 * Deletes a view that no other view builds on. @param which its id, and what is deleted in the same transaction
 * @returns the data that undoes it @throws AppError not-found, view-in-use
 */
export async function deleteView(
  context: Context,
  userId: string,
  which: { id: string; inTransaction: (tx: Queryable) => Promise<void> },
): Promise<DeletedView> {
  return { ok: true, undo: sealDeleted(context, await removeView(context, userId, which)) };
}

/** Restores a deleted view with its former id. @throws AppError validation-failed; not-found when its base was deleted */
export async function restoreView(
  context: Context,
  registry: ConnectorRegistry,
  { userId, undo }: { userId: string; undo: string },
): Promise<View> {
  const { id, view } = openDeleted(context, userId, undo);
  return context.db.transaction(async (tx) => {
    await lockViews(tx, userId);
    const isOwn = (own: string) => and(eq(views.userId, userId), eq(views.id, own));
    const existing = await tx.select({ id: views.id }).from(views).where(isOwn(id));
    if (existing.length > 0) throw new AppError('validation-failed', 'This view has already been restored.');
    const restored = await insertView(tx, registry, { userId, view: fromCreateView(view) });
    await tx.update(views).set({ id }).where(isOwn(restored._id));
    return { ...restored, _id: id };
  });
}
