import type { Alert } from '@datadeck/contract';

/** An alert that has compared 12 rows and sent nothing. */
export const ALERT: Alert = {
  _id: 'a',
  createdAt: '2026-11-20T10:00:00.000Z',
  viewId: 'v',
  viewTitle: 'Open ones',
  providerId: 'github',
  entityLabel: 'gh-pulls',
  parameters: '{"author":"octocat"}',
  keyField: null,
  kinds: ['appeared'],
  digest: 'each',
  bell: true,
  email: false,
  webhookUrl: 'https://example.com/hook',
  webhookFormat: 'json',
  ntfyUrl: '',
  hasNtfyToken: false,
  comparedAt: '2026-11-20T10:00:00.000Z',
  rowCount: 12,
  problem: null,
  isPaused: false,
  snoozedUntil: null,
  changedAt: null,
  lastDelivery: null,
};
