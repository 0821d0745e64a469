import type { Invitation, InvitationPreview, SharedWithMe } from '@datadeck/contract';

const OWNER = { name: 'Ada', email: 'ada@example.org' };
export const SHARED_ID = '7b9dc1d3-5e7f-4b9c-9c3d-4f6b8e0c2ea4';

export const PREVIEW: InvitationPreview = {
  kind: 'board',
  title: 'Team reviews',
  owner: OWNER,
  state: 'pending',
  sharedId: SHARED_ID,
};

export const SHARED_WITH_ME: SharedWithMe = {
  _id: SHARED_ID,
  kind: 'board',
  title: 'Team reviews',
  owner: OWNER,
  acceptedAt: '2026-11-20T10:00:00.000Z',
};

export const INVITATION: Invitation = {
  _id: SHARED_ID,
  viewId: null,
  boardId: '0b1f3c5d-7e9f-4a1b-8c3d-5e7f9a1b3c5d',
  title: 'Team reviews',
  parameters: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  expiresAt: '2100-01-01T00:00:00.000Z',
  member: null,
  acceptedAt: null,
};
