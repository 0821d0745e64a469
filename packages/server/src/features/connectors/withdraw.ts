import { eq } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { type Actor, recordAction } from '../accounts/index.ts';
import { requireConnector } from './drafts.ts';
import { connectors } from './tables.ts';

/** Withdraws a published connector, or offers it again. @throws AppError not-found; validation-failed for a draft */
export async function setWithdrawn(
  { db }: Pick<Context, 'db'>,
  { key, isWithdrawn, actor }: { key: string; isWithdrawn: boolean; actor: Actor },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { version, withdrawnAt } = await requireConnector(tx, key);
    if (version === null) throw new AppError('validation-failed', 'This connector was never published.');
    if ((withdrawnAt !== null) === isWithdrawn) return;
    await tx
      .update(connectors)
      .set({ withdrawnAt: isWithdrawn ? new Date() : null })
      .where(eq(connectors.key, key));
    const action = isWithdrawn ? 'connector-withdrawn' : 'connector-offered';
    await recordAction(tx, { actor, action, accountId: null, detail: key });
  });
}
