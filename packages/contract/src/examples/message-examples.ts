import { defineExamples } from './example.ts';
import { IDS, OK, PULL } from './objects.ts';

const HOOK = 'https://example.com/hook';
const OUTCOME = { at: '2026-11-25T08:00:13.000Z', isDelivered: true, status: 200, message: 'Delivered' };
const SECRET = 'whsec_…';
const WEBHOOK = {
  url: HOOK,
  format: 'json',
  last: null,
  email: true,
  emailAddress: 'ada@example.org',
} as const;

const CHOSEN = {
  parameters: '{"author":"octocat"}',
  keyField: 'id',
  kinds: ['appeared'],
  condition: null,
  digest: 'each',
  digestHour: null,
  rowText: 'title & " by " & user.login',
  bell: true,
  email: false,
  webhookUrl: HOOK,
  webhookFormat: 'json',
  ntfyUrl: '',
} as const;
const ALERT = {
  _id: IDS.alert,
  createdAt: '2026-11-25T09:00:00.000Z',
  viewId: IDS.view,
  viewTitle: 'By one author',
  providerId: 'github',
  entityLabel: 'gh-pulls',
  ...CHOSEN,
  hasNtfyToken: false,
  comparedAt: '2026-11-25T09:00:01.000Z',
  rowCount: 12,
  problem: null,
  isPaused: false,
  snoozedUntil: null,
  changedAt: '2026-11-25T10:00:00.000Z',
  lastDelivery: {
    createdAt: '2026-11-25T10:00:00.000Z',
    channel: 'webhook',
    isTest: false,
    status: 'delivered',
    outcome: '200 OK',
  },
} as const;
const DELIVERY = {
  _id: IDS.delivery,
  alertId: IDS.alert,
  createdAt: '2026-11-25T10:00:00.000Z',
  channel: 'webhook',
  isTest: false,
  title: 'By one author: 1 row appeared',
  changes: {
    appeared: 1,
    disappeared: 0,
    changed: 0,
    rows: [{ kind: 'appeared', key: PULL.id, row: { id: PULL.id, title: PULL.title } }],
  },
  status: 'delivered',
  attempts: 1,
  outcome: '200 OK',
  settledAt: '2026-11-25T10:00:01.000Z',
} as const;

/** Examples of alerts, notifications and the webhook. */
export const MESSAGE_EXAMPLES = defineExamples({
  alerts: { response: { results: [ALERT], emailAddress: 'ada@example.org' } },
  createAlert: {
    body: { viewId: IDS.view, ...CHOSEN },
    response: { ...ALERT, webhookSecret: SECRET },
  },
  updateAlert: {
    params: { id: IDS.alert },
    body: { ...CHOSEN, isPaused: true },
    response: { ...ALERT, isPaused: true, webhookSecret: null },
  },
  deleteAlert: { params: { id: IDS.alert }, response: OK },
  testAlert: {
    params: { id: IDS.alert },
    query: { rows: 'current' },
    response: [{ ...DELIVERY, isTest: true, title: 'Test: By one author' }],
  },
  alertDeliveries: { query: { alert: IDS.alert, page: 1 }, response: { results: [DELIVERY], count: 1 } },
  alertDelivery: {
    params: { id: IDS.delivery },
    response: { ...DELIVERY, keyField: null, newKeys: [String(PULL.id)] },
  },
  notifications: {
    response: {
      results: [
        {
          _id: IDS.notification,
          created_at: '2026-11-25T08:00:12.000Z',
          title: 'Sync failed',
          message: 'GitHub could not be reached.',
          advice: 'The next run tries again.',
          providerId: 'github',
          entityLabel: 'gh-pulls',
          syncId: IDS.sync,
          viewId: null,
          deliveryId: null,
          rows: [],
          isRead: false,
        },
      ],
      unread: 1,
    },
  },
  readNotification: { params: { id: IDS.notification }, response: OK },
  readNotifications: { response: OK },
  webhook: { response: { ...WEBHOOK, last: OUTCOME } },
  saveWebhook: {
    body: { url: HOOK, format: 'json' },
    response: { ...WEBHOOK, secret: SECRET },
  },
  saveNoticeMail: { body: { email: true }, response: OK },
  deleteWebhook: { response: OK },
  testWebhook: { response: OUTCOME },
});
