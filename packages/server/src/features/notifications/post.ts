import { createHmac } from 'node:crypto';
import { isPublic } from '@datadeck/connectors';
import type { WebhookOutcome } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import { PostRefused, postOutside } from '../../platform/outside-post.ts';

/** Timeout of a call. */
const TIMEOUT_MS = 10_000;

/** Sends JSON to an address that a user entered, once. @returns the outcome, also if the address is refused */
export async function postJson(
  context: Context,
  url: string,
  { body, headers }: { body: string; headers: Record<string, string> },
): Promise<WebhookOutcome> {
  const toOutcome = (status: number | null, message: string): WebhookOutcome => ({
    at: new Date().toISOString(),
    isDelivered: status !== null && status >= 200 && status < 300,
    status,
    message,
  });
  try {
    const status = await postOutside(url, {
      body,
      headers: { 'content-type': 'application/json', 'user-agent': 'Datadeck-Webhook', ...headers },
      timeoutMs: TIMEOUT_MS,
      mayReach: context.config.webhookPrivate ? () => true : isPublic,
    });
    const isRedirect = status >= 300 && status < 400;
    return toOutcome(
      status,
      isRedirect ? `Answered ${status}: redirects are not followed.` : `Answered ${status}.`,
    );
  } catch (error) {
    return toOutcome(null, error instanceof PostRefused ? error.message : 'The address cannot be reached.');
  }
}

/** Publishes to the topic of ntfy at an address, as JSON, because headers cannot contain every character of a title. */
export function postToNtfy(
  context: Context,
  { url, token = '' }: { url: string; token?: string },
  message: { title: string; message: string; click: string },
): Promise<WebhookOutcome> {
  const { origin, pathname } = new URL(url);
  const body = JSON.stringify({ topic: pathname.slice(1), ...message });
  return postJson(context, origin, {
    body,
    headers: token === '' ? {} : { authorization: `Bearer ${token}` },
  });
}

/** Sends a message with its id and signature: `sha256=` and the HMAC-SHA256 of the body, in hex. */
export function postSigned(
  context: Context,
  { url, secret }: { url: string; secret: string },
  { deliveryId, body }: { deliveryId: string; body: string },
): Promise<WebhookOutcome> {
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return postJson(context, url, {
    body,
    headers: { 'x-datadeck-delivery': deliveryId, 'x-datadeck-signature': signature },
  });
}
