import { z } from 'zod';

/** Something that happened while nobody watched. */
export const notificationSchema = z.object({
  _id: z.string(),
  created_at: z.string(),
  title: z.string(),
  /** What happened. */
  message: z.string(),
  /** What the user can do about it. */
  advice: z.string(),
  providerId: z.string(),
  entityLabel: z.string(),
  /** The sync that it is about; null when none was started. */
  syncId: z.string().nullable(),
  isRead: z.boolean(),
});
export type Notification = z.infer<typeof notificationSchema>;

export const notificationsSchema = z.object({
  /** Newest first. */
  results: z.array(notificationSchema),
  unread: z.number().int(),
});
export type Notifications = z.infer<typeof notificationsSchema>;

/** How a message to a webhook ended. */
export const webhookOutcomeSchema = z.object({
  at: z.string(),
  isDelivered: z.boolean(),
  /** HTTP status of the answer; null without one. */
  status: z.number().int().nullable(),
  message: z.string(),
});
export type WebhookOutcome = z.infer<typeof webhookOutcomeSchema>;

export const webhookSchema = z.object({
  /** Empty: none is set. */
  url: z.string(),
  last: webhookOutcomeSchema.nullable(),
});
export type Webhook = z.infer<typeof webhookSchema>;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** What is wrong with the address of a webhook; undefined when it fits. */
export function webhookUrlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'Must be an address such as https://example.com/hook';
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) return 'Must begin with https://';
  if (url.username !== '' || url.password !== '') return 'Must not contain a user name or password';
  return undefined;
}

export const saveWebhookSchema = z.object({
  url: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(2000, 'Must be 2000 characters or less')
    .superRefine((text, context) => {
      const problem = text === '' ? undefined : webhookUrlProblem(text);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    }),
});
export type SaveWebhook = z.infer<typeof saveWebhookSchema>;

/** The answer to setting a webhook: the only place where its secret is shown. */
export const savedWebhookSchema = webhookSchema.extend({ secret: z.string() });
export type SavedWebhook = z.infer<typeof savedWebhookSchema>;

/** The body of a call to a webhook. */
export const webhookMessageSchema = z.object({
  event: z.enum(['sync.failed', 'test']),
  entity: z.string().nullable(),
  syncId: z.string().nullable(),
  message: z.string(),
  at: z.string(),
});
export type WebhookMessage = z.infer<typeof webhookMessageSchema>;
