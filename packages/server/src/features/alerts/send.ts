import { type AlertMessage, type ChangedRow, NOTICE_ROWS } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import { MailRefused, sendMail } from '../../platform/mail.ts';
import { type DeliveryOutcome, postJson, postSigned } from '../notifications/index.ts';
import { type Addresses, type AlertRow, openAddresses } from './channels.ts';
import { chatBody } from './chat-formats.ts';
import type { DeliveryRow } from './deliveries.ts';
import { htmlText, type Message, plainText, subjectOf } from './messages.ts';
import { mailAddressOf } from './store.ts';

/** Longest message that ntfy shows as text, UTF-16 units; it takes 4,096 bytes. */
const MAX_NTFY = 1300;

/** Where the pages of the product are. */
export interface Site {
  publicUrl(): string;
}

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

async function sendByMail(
  context: Context,
  { userId }: AlertRow,
  id: string,
  message: Message,
): Promise<DeliveryOutcome> {
  const { mail } = context.config;
  const to = await mailAddressOf(context, userId);
  if (mail === undefined || to === null)
    return { isDelivered: false, isFinal: true, message: 'This installation sends no mails to you.' };
  try {
    const answer = await sendMail(mail, {
      to,
      id,
      subject: subjectOf(message),
      text: plainText(message),
      html: htmlText(message),
    });
    return { isDelivered: true, message: `The mail server answered ${answer}` };
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    context.log.warn({ err: error.cause, userId }, 'could not send a mail');
    return { isDelivered: false, message: error.message };
  }
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

/** Publishes as JSON, because headers cannot contain every character of a title. */
function sendToNtfy(
  context: Context,
  { ntfyUrl, ntfyToken }: Addresses,
  message: Message,
): Promise<DeliveryOutcome> {
  const { origin, pathname } = new URL(ntfyUrl);
  const rows = message.changes.rows.slice(0, NOTICE_ROWS);
  const body = JSON.stringify({
    topic: pathname.slice(1),
    title: subjectOf(message),
    message: plainText({ ...message, changes: { ...message.changes, rows } }, MAX_NTFY),
    click: message.url,
  });
  const headers = ntfyToken === '' ? {} : { authorization: `Bearer ${ntfyToken}` };
  return postJson(context, origin, { body, headers });
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
  if (delivery.channel === 'email') return sendByMail(context, alert, delivery.id, message);
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
