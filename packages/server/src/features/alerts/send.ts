import { type AlertMessage, type ChangedRow, NOTICE_ROWS } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import {
  type DeliveryOutcome,
  mailToUser,
  postSigned,
  postToNtfy,
  type Site,
} from '../notifications/index.ts';
import { type Addresses, type AlertRow, openAddresses } from './channels.ts';
import { chatBody } from './chat-formats.ts';
import type { DeliveryRow } from './deliveries.ts';
import { htmlText, type Message, plainText, subjectOf } from './messages.ts';

/** Longest message that ntfy shows as text, UTF-16 units; it takes 4,096 bytes. */
const MAX_NTFY = 1300;

/** Returns the address of an alert's view, with the values of its parameters. */
function addressOf({ publicUrl }: Site, alert: AlertRow, { id, isTest }: DeliveryRow): string {
  const values = alert.parameters === null ? {} : (JSON.parse(alert.parameters) as Record<string, unknown>);
  const search = new URLSearchParams({
    provider: alert.provider,
    entity: alert.entity,
    view: alert.viewId,
    ...(!isTest && { delivery: id }),
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`p.${name}`, String(value)])),
  });
  return `${publicUrl()}/dashboard/data/views?${search}`;
}

/** Returns the address at which the search shows the record of a row; undefined for a row without one. */
function recordAddressOf(
  { publicUrl }: Site,
  { provider, entity }: AlertRow,
  { key, record }: ChangedRow,
): string | undefined {
  if (!record || key === null) return undefined;
  const search = new URLSearchParams({ record: [provider, entity, key].join('/'), of: record.account });
  return `${publicUrl()}/dashboard/data/search?${search}`;
}

function sendToWebhook(
  context: Context,
  alert: AlertRow,
  { addresses, delivery, message }: { addresses: Addresses; delivery: DeliveryRow; message: Message },
): Promise<DeliveryOutcome> {
  const payload: AlertMessage = {
    event: message.isTest ? 'test' : 'alert',
    deliveryId: delivery.id,
    alertId: alert.id,
    viewId: alert.viewId,
    viewTitle: message.title,
    at: delivery.createdAt.toISOString(),
    changes: {
      ...message.changes,
      rows: message.changes.rows.map((row) => {
        const url = message.recordUrl(row);
        return url === undefined ? row : { ...row, url };
      }),
    },
    url: message.url,
  };
  const { webhookUrl: url, webhookSecret: secret } = addresses;
  const { webhookFormat } = alert;
  const body = JSON.stringify(webhookFormat === 'json' ? payload : chatBody(webhookFormat, message));
  return postSigned(context, { url, secret }, { deliveryId: delivery.id, body });
}

function sendToNtfy(
  context: Context,
  { ntfyUrl: url, ntfyToken: token }: Addresses,
  message: Message,
): Promise<DeliveryOutcome> {
  const rows = message.changes.rows.slice(0, NOTICE_ROWS);
  const text = plainText({ ...message, changes: { ...message.changes, rows } }, MAX_NTFY);
  return postToNtfy(
    context,
    { url, token },
    { title: subjectOf(message), message: text, click: message.url },
  );
}

/** Sends a delivery by its channel, once. The bell needs no sending. */
export async function sendDelivery(
  context: Context,
  site: Site,
  alert: AlertRow,
  delivery: DeliveryRow,
): Promise<DeliveryOutcome> {
  const addresses = openAddresses(context, alert);
  const message: Message = {
    title: delivery.title,
    changes: JSON.parse(delivery.changes) as Message['changes'],
    isTest: delivery.isTest,
    url: addressOf(site, alert, delivery),
    recordUrl: (row) => recordAddressOf(site, alert, row),
  };
  if (delivery.channel === 'email')
    return mailToUser(context, alert.userId, {
      id: delivery.id,
      subject: subjectOf(message),
      text: plainText(message),
      html: htmlText(message),
    });
  const isOff = {
    isDelivered: false,
    isFinal: true,
    message: 'The alert does not use this address any more.',
  };
  if (delivery.channel === 'webhook')
    return addresses.webhookUrl === ''
      ? isOff
      : sendToWebhook(context, alert, { addresses, delivery, message });
  if (delivery.channel === 'ntfy')
    return addresses.ntfyUrl === '' ? isOff : sendToNtfy(context, addresses, message);
  return { isDelivered: true, message: 'Shown in the bell.' };
}
