import { STALE_TAGS } from '@datadeck/contract';
import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import { Isolated } from '../../platform/jobs/isolated.ts';
import { addNotice, announceNotice, publishInvalidation } from '../notifications/index.ts';
import type { ConnectorRegistry } from './registry.ts';
import { type Connection, markReconnectNeeded } from './store.ts';
import { connections } from './tables.ts';

/** How long before its expiry a token is announced. */
const NOTICE_DAYS = 7;
/** Connections that one call handles; the next call continues. */
const BATCH = 500;

const nameOf = ({ userId, id }: Connection) => `${userId}/${id}`;

/** Notifies the user of a token that expires soon, once per token. @returns false if another process has done so */
async function notify(context: Context, title: string, row: Connection): Promise<boolean> {
  const { userId, id, provider, account, connectedAt, expiresAt } = row;
  return context.db.transaction(async (tx) => {
    const [claimed] = await tx
      .update(connections)
      .set({ expiryNotifiedAt: sql`now()` })
      .where(
        and(
          eq(connections.userId, userId),
          eq(connections.id, id),
          // A newer token must be announced by its own expiry.
          eq(connections.connectedAt, connectedAt),
          isNull(connections.expiryNotifiedAt),
        ),
      )
      .returning({ id: connections.id });
    if (!claimed || !expiresAt) return false;
    await addNotice(tx, context.jobs, {
      event: 'token.expires',
      userId,
      title: `${title}: the token expires soon`,
      message: `The token of ${account} expires on ${expiresAt.toISOString().slice(0, 10)}. Syncs then stop.`,
      advice: `Create a new token, then choose Manage → Replace token on the card of ${title}.`,
      provider,
      entity: '',
      syncId: null,
      at: new Date(),
    });
    return true;
  });
}

/** Notifies users of tokens that expire within a week, once per token. */
export async function announceExpiringTokens(context: Context, registry: ConnectorRegistry): Promise<void> {
  const rows = await context.db
    .select()
    .from(connections)
    .where(
      and(
        eq(connections.status, 'connected'),
        isNull(connections.expiryNotifiedAt),
        lt(connections.expiresAt, sql`now() + make_interval(days => ${NOTICE_DAYS})`),
      ),
    )
    // In any order, so that some that fail do not fill each batch.
    .orderBy(sql`random()`)
    .limit(BATCH);
  await new Isolated(context.log, 'announcing an expiring token', nameOf).forEach(rows, async (row) => {
    const { title } = registry.connector(row.provider);
    if (await notify(context, title, row)) await announceNotice(context, row.userId);
  });
}

/** Marks connections whose token has expired as 'reconnect needed'. */
export async function markExpiredTokens(context: Context): Promise<void> {
  const rows = await context.db
    .select()
    .from(connections)
    .where(and(eq(connections.status, 'connected'), lt(connections.expiresAt, sql`now()`)))
    .orderBy(sql`random()`)
    .limit(BATCH);
  await new Isolated(context.log, 'marking an expired token', nameOf).forEach(rows, async (row) => {
    await markReconnectNeeded(context.db, row);
    await publishInvalidation(context, row.userId, STALE_TAGS.connection);
  });
}
