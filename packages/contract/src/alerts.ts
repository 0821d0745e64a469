import { z } from 'zod';
import { defineEndpoints, okSchema, pageSchema } from './endpoint.ts';
import { BOUNDS } from './limits.ts';
import { ntfyUrlError, webhookUrlError } from './notifications.ts';

/** How rows can differ between two versions of a view. */
export const ALERT_KINDS = ['appeared', 'disappeared', 'changed'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** above, below: the number of a view crosses a value · by: it changes by at least so much since the last message. */
export const CONDITION_KINDS = ['above', 'below', 'by'] as const;
export type ConditionKind = (typeof CONDITION_KINDS)[number];

/** A condition on the number of a view: `{ kind: 'above', value: 40, group: '' }`. */
export const alertConditionSchema = z
  .object({
    kind: z.enum(CONDITION_KINDS),
    value: z.number('Required').finite(),
    /** Name of the number, if the view yields several; empty for a single number or the number of rows. */
    group: z.string().trim().max(BOUNDS.key),
  })
  .refine(({ kind, value }) => kind !== 'by' || value > 0, { path: ['value'], message: 'Must be above 0' });
export type AlertCondition = z.infer<typeof alertConditionSchema>;

/** each: a message for every change · hourly, daily: at most one message in that time. */
export const ALERT_DIGESTS = ['each', 'hourly', 'daily'] as const;
export type AlertDigest = (typeof ALERT_DIGESTS)[number];

/** Ways to deliver an alert. */
export const ALERT_CHANNELS = ['bell', 'email', 'webhook', 'ntfy'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/** json: the whole message for a program · the others: a text for a chat. Teams through Workflows, Matrix through Hookshot. */
export const WEBHOOK_FORMATS = ['json', 'slack', 'discord', 'teams', 'matrix'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** waiting: not sent yet, or between two attempts. */
const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;

/** Longest expression of a row's text, UTF-16 units. */
const MAX_ROW_TEXT = 2000;

/** Alerts per user, rows of a watched view, kept deliveries per user and their days, changed rows in a message, rows marked in a view. */
export const ALERT_LIMITS = {
  perUser: 20,
  rows: 20_000,
  deliveries: 200,
  deliveryDays: 30,
  shownRows: 20,
  marked: 200,
} as const;

/** Declares an address: empty for none, at most 2,000 UTF-16 units. */
function address(errorOf: (text: string) => string | undefined) {
  return z
    .string()
    .trim()
    .max(2000, 'Must be 2000 characters or less')
    .superRefine((text, context) => {
      const problem = text === '' ? undefined : errorOf(text);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    })
    .default('');
}

const alertFields = z.object({
  /** Values of the view's parameters as JSON; absent for the defaults. */
  parameters: z.string().max(10_000).optional(),
  /** The field that identifies a row; absent for `_id` or `id`. */
  keyField: z.string().trim().max(BOUNDS.key).optional(),
  kinds: z.array(z.enum(ALERT_KINDS)).min(1, 'Choose at least one').max(ALERT_KINDS.length),
  /** Watches the number of the view instead of its rows, whose `kinds` then do not matter. */
  condition: alertConditionSchema.nullable().default(null),
  digest: z.enum(ALERT_DIGESTS),
  /** Hour of daily messages, 0 to 23, in the time zone of the account; null: the time of day at which the alert was created. */
  digestHour: z.number().int().min(0).max(23).nullable().default(null),
  /** JSONata that writes the text of a row in messages; empty: its title, person and place, or its fields. */
  rowText: z.string().trim().max(MAX_ROW_TEXT, `Must be ${MAX_ROW_TEXT} characters or less`).default(''),
  bell: z.boolean(),
  /** To the address of the user's account. */
  email: z.boolean(),
  webhookUrl: address(webhookUrlError),
  webhookFormat: z.enum(WEBHOOK_FORMATS).default('json'),
  ntfyUrl: address(ntfyUrlError),
  /** The access token of the ntfy server; absent: unchanged, while the address leads to the same server. */
  ntfyToken: z
    .string()
    .trim()
    .max(200)
    .regex(/^[\x21-\x7e]*$/, 'Must be letters, digits and signs without spaces')
    .optional(),
});
type AlertFields = z.infer<typeof alertFields>;

const NO_CHANNEL = { path: ['bell'], message: 'Choose at least one way of delivery' };

function hasChannel({ bell, email, webhookUrl, ntfyUrl }: AlertFields): boolean {
  return bell || email || webhookUrl !== '' || ntfyUrl !== '';
}

/** The fields of an alert's form. */
export const alertFormSchema = alertFields.refine(hasChannel, NO_CHANNEL);
export type AlertForm = z.input<typeof alertFormSchema>;
export type CheckedAlertForm = z.output<typeof alertFormSchema>;

/** Request to watch a view: `{ viewId: '…', kinds: ['appeared'], digest: 'each', bell: true, email: false }`. */
export const createAlertSchema = alertFields
  .extend({ viewId: z.uuid().max(36) })
  .refine(hasChannel, NO_CHANNEL);
export type CreateAlert = z.infer<typeof createAlertSchema>;

/** Longest time that an alert may be silent at a person's request, days. */
const SNOOZE_DAYS = 31;

/** Declares the end of a snooze: absent leaves it as it is, null ends it. */
const snoozedUntilSchema = z.iso
  .datetime({ offset: true })
  .max(40)
  .nullable()
  .refine((text) => text === null || Date.parse(text) <= Date.now() + SNOOZE_DAYS * 86_400_000, {
    message: `Must be within ${SNOOZE_DAYS} days`,
  })
  .optional();

/** Request to change an alert, to pause and resume it, or to snooze it. */
export const updateAlertSchema = alertFields
  .extend({ isPaused: z.boolean(), snoozedUntil: snoozedUntilSchema })
  .refine(hasChannel, NO_CHANNEL);
export type UpdateAlert = z.infer<typeof updateAlertSchema>;

/** The last message of an alert: `{ createdAt: '…', channel: 'webhook', isTest: false, status: 'failed', outcome: 'Answered 500.' }`. */
const lastDeliverySchema = z.object({
  createdAt: z.string(),
  channel: z.enum(ALERT_CHANNELS),
  isTest: z.boolean(),
  status: z.enum(DELIVERY_STATES),
  outcome: z.string().nullable(),
});

/** An alert: `{ viewTitle: 'Open ones', kinds: ['appeared'], digest: 'each', rowCount: 12, problem: null, … }`. */
export const alertSchema = z.object({
  _id: z.string(),
  createdAt: z.string(),
  viewId: z.string(),
  viewTitle: z.string(),
  providerId: z.string(),
  entityLabel: z.string(),
  parameters: z.string().nullable(),
  keyField: z.string().nullable(),
  kinds: z.array(z.enum(ALERT_KINDS)),
  /** Null for an alert on rows. */
  condition: alertConditionSchema.nullable(),
  digest: z.enum(ALERT_DIGESTS),
  digestHour: z.number().int().nullable(),
  rowText: z.string(),
  bell: z.boolean(),
  email: z.boolean(),
  webhookUrl: z.string(),
  webhookFormat: z.enum(WEBHOOK_FORMATS),
  ntfyUrl: z.string(),
  hasNtfyToken: z.boolean(),
  /** When rows were last compared, and how many there were; null before the first time. */
  comparedAt: z.string().nullable(),
  rowCount: z.number().int().nullable(),
  /** Why the last comparison failed; null if it did not. */
  problem: z.string().nullable(),
  isPaused: z.boolean(),
  /** Until when the comparisons of a snoozed alert wait; null if it is not snoozed. */
  snoozedUntil: z.string().nullable(),
  /** When rows of the chosen kinds last changed; null if they never did. */
  changedAt: z.string().nullable(),
  /** The last message; of its channels one that failed, else one that is still waiting. Null if nothing was sent. */
  lastDelivery: lastDeliverySchema.nullable(),
});
export type Alert = z.infer<typeof alertSchema>;

/** The alerts of a user, at most 20, oldest first. */
export const alertsSchema = z.object({
  results: z.array(alertSchema),
  /** The address that mails are sent to; null if this installation sends none. */
  emailAddress: z.string().nullable(),
});
export type Alerts = z.infer<typeof alertsSchema>;

/** A saved alert. The secret of the webhook is only in the response that creates it or changes the address. */
export const savedAlertSchema = alertSchema.extend({ webhookSecret: z.string().nullable() });
export type SavedAlert = z.infer<typeof savedAlertSchema>;

/** The record of a row, for a message: `{ title: 'Fix the build', person: 'octocat', place: 'octocat/hello #12', account: 'ada' }`. */
const namedRecordSchema = z.object({
  title: z.string(),
  /** Sender or author; may be empty. */
  person: z.string(),
  /** Repository and number; empty for other records. */
  place: z.string(),
  account: z.string(),
});
export type NamedRecord = z.infer<typeof namedRecordSchema>;

/** A row that changed: its first fields, and for a changed row what they were. */
export const changedRowSchema = z.object({
  /** Absent for a row that is no record, or whose record is gone. Its id is the key. */
  record: namedRecordSchema.optional(),
  /** Written by the alert's expression. */
  text: z.string().optional(),
  kind: z.enum(ALERT_KINDS),
  key: z.string().nullable(),
  row: z.unknown(),
  before: z.unknown().optional(),
});
export type ChangedRow = z.infer<typeof changedRowSchema>;

/** How a number reached the condition of its alert: `{ kind: 'above', value: 40, group: '', before: 38, now: 42 }`. */
export const numberChangeSchema = z.object({
  kind: z.enum(CONDITION_KINDS),
  value: z.number(),
  group: z.string(),
  before: z.number(),
  now: z.number(),
});
export type NumberChange = z.infer<typeof numberChangeSchema>;

/** How many rows changed by kind, and the first of them, at most 20. */
export const alertChangesSchema = z.object({
  appeared: z.number().int(),
  disappeared: z.number().int(),
  changed: z.number().int(),
  rows: z.array(changedRowSchema),
  /** Of an alert on a number, which has no rows. */
  number: numberChangeSchema.optional(),
  /** Why the alert's expression could not write the texts of the rows. */
  textProblem: z.string().optional(),
});
export type AlertChanges = z.infer<typeof alertChangesSchema>;

/** A message of an alert and its outcome: `{ channel: 'email', status: 'delivered', outcome: '250 OK', … }`. */
export const alertDeliverySchema = z.object({
  _id: z.string(),
  alertId: z.string(),
  createdAt: z.string(),
  channel: z.enum(ALERT_CHANNELS),
  isTest: z.boolean(),
  title: z.string(),
  changes: alertChangesSchema,
  status: z.enum(DELIVERY_STATES),
  attempts: z.number().int(),
  /** What the receiver answered; null before the first attempt. */
  outcome: z.string().nullable(),
  settledAt: z.string().nullable(),
});
export type AlertDelivery = z.infer<typeof alertDeliverySchema>;

/** A delivery with what identifies the rows that appeared, to mark them in the view. */
export const markedDeliverySchema = alertDeliverySchema.extend({
  /** The field that identifies a row; null for `_id` or `id`. */
  keyField: z.string().nullable(),
  /** Keys of rows that appeared, at most `ALERT_LIMITS.marked`. */
  newKeys: z.array(z.string()),
});
export type MarkedDelivery = z.infer<typeof markedDeliverySchema>;

/** The JSON payload that an alert sends to a webhook. */
export interface AlertMessage {
  event: 'alert' | 'test';
  /** Identical for each attempt, and signed with the body: a receiver can refuse a message that it has already seen. */
  deliveryId: string;
  alertId: string;
  viewId: string;
  viewTitle: string;
  /** When the difference was found. */
  at: string;
  /** A row of a record has the address at which Datadeck shows it. */
  changes: Omit<AlertChanges, 'rows'> & { rows: (ChangedRow & { url?: string })[] };
  /** Address of the view, where the rows that appeared are marked. */
  url: string;
}

const params = z.object({ id: z.uuid().max(36) });

/** Endpoints of alerts. */
export const ALERT_ENDPOINTS = defineEndpoints({
  alerts: {
    method: 'GET',
    path: '/api/data/alerts',
    summary: 'Alerts, oldest first, at most 20',
    access: 'user',
    response: alertsSchema,
  },
  createAlert: {
    method: 'POST',
    path: '/api/data/alerts',
    summary: 'Watch a view; only this response contains the secret of its webhook',
    access: 'change',
    body: createAlertSchema,
    response: savedAlertSchema,
    status: 201,
  },
  updateAlert: {
    method: 'PUT',
    path: '/api/data/alerts/{id}',
    summary: 'Change, pause, resume or snooze an alert; a new address of its webhook gets a new secret',
    access: 'change',
    params,
    body: updateAlertSchema,
    response: savedAlertSchema,
  },
  deleteAlert: {
    method: 'DELETE',
    path: '/api/data/alerts/{id}',
    summary: 'Delete an alert and its deliveries',
    access: 'change',
    params,
    response: okSchema,
  },
  testAlert: {
    method: 'POST',
    path: '/api/data/alerts/{id}/test',
    summary:
      'Send a test by each channel of an alert now, with an example or with the first rows of its view',
    access: 'change',
    params,
    query: z.object({ rows: z.enum(['example', 'current']).default('example') }),
    response: z.array(alertDeliverySchema),
  },
  alertDeliveries: {
    method: 'GET',
    path: '/api/data/alerts/deliveries',
    summary: 'Deliveries of all alerts or of one, newest first, pages of 20',
    access: 'user',
    query: z.object({ alert: z.uuid().max(36).optional(), page: pageSchema }),
    response: z.object({ results: z.array(alertDeliverySchema), count: z.number().int() }),
  },
  alertDelivery: {
    method: 'GET',
    path: '/api/data/alerts/deliveries/{id}',
    summary: 'A delivery, with the keys of the rows that appeared',
    access: 'user',
    params,
    response: markedDeliverySchema,
  },
});
