import { eq } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { recordAction } from './audit-log.ts';
import { installationMarks, users } from './tables.ts';

/**
 * Makes an account the administrator if it is the first one of a fresh installation. Happens once in an installation: of two
 * transactions at the same time, the mark lets one through.
 */
export async function claimFirstAccount(tx: Queryable, accountId: string): Promise<void> {
  const [mark] = await tx
    .insert(installationMarks)
    .values({ name: 'first-account' })
    .onConflictDoNothing()
    .returning();
  if (!mark) return;
  await tx.update(users).set({ isAdministrator: true }).where(eq(users.id, accountId));
  const detail = 'first account of this server';
  await recordAction(tx, { actor: { kind: 'server' }, action: 'administrator-granted', accountId, detail });
}
