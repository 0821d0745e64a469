import type { ApiToken } from '@datadeck/contract';

/** A token that may read everything, and was never used. */
export const API_TOKEN: ApiToken = {
  _id: 't',
  name: 'Reader',
  scope: 'read',
  viewId: null,
  boardId: null,
  parameters: null,
  rowBudget: null,
  rowsUsed: 0,
  hasPassword: false,
  frameAncestors: [],
  createdAt: '2026-11-20T10:00:00.000Z',
  expiresAt: '2100-01-01T10:00:00.000Z',
  lastUsedAt: null,
};
