import type { Alert } from '@datadeck/contract';
import { getTableName } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../platform/context/index.ts';
import { newSecret } from '../../platform/ids.ts';
import { openValue, type SealedColumn, sealValue } from '../../platform/secrets/sealed-columns.ts';
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

/** The addresses of alerts, encrypted. */
export const ALERT_ADDRESSES: SealedColumn<Addresses> = {
  table: getTableName(alerts),
  column: 'sealed',
  schema: addressesSchema,
  contextOf: (userId) => `alert ${userId}`,
  nameOf: (userId, id) => `the addresses of the alert ${userId}/${id}`,
};

/** Encrypts addresses for their user. */
export function sealAddresses(context: Pick<Context, 'keyring'>, userId: string, addresses: Addresses) {
  return sealValue(context, ALERT_ADDRESSES, { userId, value: addresses });
}

/** Decrypts the addresses of an alert. Without their key there are none, so that its user must set them again. */
export function openAddresses(
  context: Pick<Context, 'keyring' | 'log'>,
  { userId, sealed }: Pick<AlertRow, 'userId' | 'sealed'>,
): Addresses {
  return openValue(context, ALERT_ADDRESSES, { userId, sealed }) ?? NO_ADDRESSES;
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
