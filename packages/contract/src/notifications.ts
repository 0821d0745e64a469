import { z } from 'zod';

/** A row in a notification: `{ text: 'Fix the build · octocat', recordId: '12', account: 'ada' }`; null without a record to open. */
export const noticeRowSchema = z.object({
  text: z.string(),
  recordId: z.string().nullable(),
  account: z.string().nullable(),
});
export type NoticeRow = z.infer<typeof noticeRowSchema>;
export const NOTICE_ROWS = 5;

/** A notification, e.g. about a failed scheduled sync or a token that expires: `{ title: 'Sync failed', message: '…', advice: '…', isRead: false, … }`. */
export const notificationSchema = z.object({
  _id: z.string(),
  created_at: z.string(),
  title: z.string(),
  /** What happened. */
  message: z.string(),
  /** The suggested next step. */
  advice: z.string(),
  providerId: z.string(),
  /** Empty if the notification is about the whole provider. */
  entityLabel: z.string(),
  /** Id of the failed sync; null when none was started. */
  syncId: z.string().nullable(),
  /** Id of the view of an alert; null for other notifications. */
  viewId: z.string().nullable(),
  /** Id of the delivery of an alert, whose new rows the view marks. */
  deliveryId: z.string().nullable(),
  /** The first rows that an alert reports. */
  rows: z.array(noticeRowSchema).max(NOTICE_ROWS),
  isRead: z.boolean(),
});
export type Notification = z.infer<typeof notificationSchema>;

/** The newest notifications and the number of unread ones: `{ results: […], unread: 2 }`. */
export const notificationsSchema = z.object({
  /** Newest first. */
  results: z.array(notificationSchema),
  unread: z.number().int(),
});
export type Notifications = z.infer<typeof notificationsSchema>;

/** The result of a webhook delivery: `{ at: '2026-03-01T08:00:00.000Z', isDelivered: true, status: 200, message: '…' }`. */
export const webhookOutcomeSchema = z.object({
  at: z.string(),
  isDelivered: z.boolean(),
  /** HTTP status of the response, e.g. 200; null without a response. */
  status: z.number().int().nullable(),
  /** What happened, for the user. */
  message: z.string(),
});
export type WebhookOutcome = z.infer<typeof webhookOutcomeSchema>;

/** json: an event for a program · ntfy: a topic · the others: a text for a chat. Teams through Workflows, Matrix through Hookshot. */
export const NOTICE_FORMATS = ['json', 'slack', 'discord', 'teams', 'matrix', 'ntfy'] as const;
export type NoticeFormat = (typeof NOTICE_FORMATS)[number];

/** The user's webhook and its last delivery: `{ url: 'https://example.com/hook', format: 'json', last: null, … }`. */
export const webhookSchema = z.object({
  /** Empty if none is set. */
  url: z.string(),
  format: z.enum(NOTICE_FORMATS),
  last: webhookOutcomeSchema.nullable(),
  /** Whether what the webhook receives is mailed, too. */
  email: z.boolean(),
  /** The address that mails are sent to; null if this installation sends none. */
  emailAddress: z.string().nullable(),
});
export type Webhook = z.infer<typeof webhookSchema>;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns the error message for an invalid webhook URL; undefined if it is valid. */
export function webhookUrlError(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'Must be an address such as https://example.com/hook';
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) return 'Must begin with https://';
  if (url.username !== '' || url.password !== '') return 'Must not contain a user name or password';
  return undefined;
}

/** Returns the error message for the address of an ntfy topic; undefined if it is valid. */
export function ntfyUrlError(text: string): string | undefined {
  const problem = webhookUrlError(text)?.replace('https://example.com/hook', 'https://ntfy.sh/my-topic');
  if (problem !== undefined) return problem;
  const { pathname, search } = new URL(text);
  return /^\/[\w-]{1,64}$/.test(pathname) && search === ''
    ? undefined
    : 'Must end with one topic, such as https://ntfy.sh/my-topic';
}

const savedUrl = z.object({
  url: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(2000, 'Must be 2000 characters or less')
    .superRefine((text, context) => {
      const problem = text === '' ? undefined : webhookUrlError(text);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    }),
});

/** Request to set the webhook: `{ url: 'https://example.com/hook', format: 'slack' }`; at most 2,000 UTF-16 units. */
export const saveWebhookSchema = savedUrl
  .extend({ format: z.enum(NOTICE_FORMATS).default('json') })
  .superRefine(({ url, format }, context) => {
    const problem = format === 'ntfy' && webhookUrlError(url) === undefined ? ntfyUrlError(url) : undefined;
    if (problem !== undefined) context.addIssue({ code: 'custom', path: ['url'], message: problem });
  });
export type SaveWebhook = z.input<typeof saveWebhookSchema>;
export type CheckedWebhook = z.output<typeof saveWebhookSchema>;

/** Request to mail what the webhook receives, or not: `{ email: true }`. */
export const noticeMailSchema = z.object({ email: z.boolean() });

/** Response to setting the webhook, the only one that contains its secret: `{ url: '…', last: null, secret: '…' }`. */
export const savedWebhookSchema = webhookSchema.extend({ secret: z.string() });
export type SavedWebhook = z.infer<typeof savedWebhookSchema>;

/** The JSON payload sent to a webhook: `{ event: 'sync.failed', entity: 'gh-pulls', syncId: '…', message: '…', at: '…' }`. */
export const webhookMessageSchema = z.object({
  event: z.enum(['sync.failed', 'token.expires', 'alert.failed', 'test']),
  /** Null for `test` and `token.expires`. */
  entity: z.string().nullable(),
  /** Null for `test` and `token.expires`, and if no sync was started. */
  syncId: z.string().nullable(),
  message: z.string(),
  at: z.string(),
});
export type WebhookMessage = z.infer<typeof webhookMessageSchema>;
