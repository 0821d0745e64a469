import type { Alert } from '@datadeck/contract';
import { and, eq, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../platform/context/index.ts';
import type { Database, Queryable } from '../../platform/db/pool.ts';
import { type Keyring, type Resealed, resealAll, sealedSchema } from '../../platform/encryption.ts';
import { newSecret } from '../../platform/ids.ts';
import { alerts } from './tables.ts';

export type AlertRow = typeof alerts.$inferSelect;

const addressesSchema = z.object({
  /** Empty for none. */
  webhookUrl: z.string(),
  webhookSecret: z.string(),
  ntfyUrl: z.string(),
  ntfyToken: z.string(),
});
/** The addresses and secrets of an alert, which are stored encrypted. */
export type Addresses = z.infer<typeof addressesSchema>;

const NO_ADDRESSES: Addresses = { webhookUrl: '', webhookSecret: '', ntfyUrl: '', ntfyToken: '' };

const contextOf = (userId: string) => `alert ${userId}`;

/** Encrypts addresses for their user. */
export function sealAddresses({ keyring }: Pick<Context, 'keyring'>, userId: string, addresses: Addresses) {
  return keyring.seal(JSON.stringify(addresses), contextOf(userId));
}

/** Decrypts the addresses of an alert. Without their key there are none, so that its user must set them again. */
export function openAddresses(
  context: Pick<Context, 'keyring' | 'log'>,
  { userId, sealed }: Pick<AlertRow, 'userId' | 'sealed'>,
): Addresses {
  try {
    const text = context.keyring.open(sealedSchema.parse(sealed), contextOf(userId));
    return addressesSchema.parse(JSON.parse(text));
  } catch (error) {
    context.log.warn({ err: error }, 'could not decrypt the addresses of an alert');
    return NO_ADDRESSES;
  }
}

/**
 * Returns the addresses of a saved alert. A new address of the webhook gets a new secret; the token of ntfy stays only
 * while the address leads to the same server.
 */
export function changeAddresses(
  before: Addresses = NO_ADDRESSES,
  wanted: Pick<Alert, 'webhookUrl' | 'ntfyUrl'> & { ntfyToken?: string | undefined },
): Addresses {
  const { webhookUrl, ntfyUrl } = wanted;
  const keepsSecret = webhookUrl === before.webhookUrl && before.webhookSecret !== '';
  const originOf = (url: string) => (url === '' ? '' : new URL(url).origin);
  const keptToken = originOf(ntfyUrl) === originOf(before.ntfyUrl) ? before.ntfyToken : '';
  return {
    webhookUrl,
    webhookSecret: webhookUrl === '' ? '' : keepsSecret ? before.webhookSecret : newSecret(),
    ntfyUrl,
    ntfyToken: ntfyUrl === '' ? '' : (wanted.ntfyToken ?? keptToken),
  };
}

/** Lists the ids of the keys that encrypt stored alerts. */
export async function listAlertKeys(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ key: string }>(sql`select distinct sealed->>'key' as key from alerts`);
  return rows.map(({ key }) => key);
}

/** Re-encrypts all alerts with the first key. Those whose key is missing stay unchanged. */
export async function resealAlerts(db: Database, keyring: Keyring): Promise<Resealed> {
  return db.transaction(async (tx) => {
    const { userId, id, sealed } = alerts;
    const stale = await tx
      .select({ userId, id, sealed })
      .from(alerts)
      .where(ne(sql`${sealed}->>'key'`, keyring.encryptionKeyId))
      .for('update');
    return resealAll(keyring, stale, {
      read: (row) => ({
        name: `the addresses of the alert ${row.userId}/${row.id}`,
        sealed: row.sealed,
        context: contextOf(row.userId),
      }),
      store: (row, renewed) =>
        tx
          .update(alerts)
          .set({ sealed: renewed })
          .where(and(eq(userId, row.userId), eq(id, row.id))),
    });
  });
}
