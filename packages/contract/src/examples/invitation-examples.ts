import { defineExamples } from './example.ts';
import { BOARD } from './objects.ts';

const ID = '7b9dc1d3-5e7f-4b9c-9c3d-4f6b8e0c2ea4';
const SHARED = { sharedId: ID };
const CREATED_AT = '2026-11-25T08:00:00.000Z';
const LINK = { invitation: 'Cx9qUnwdTFWaPl8vjx8KAae5wdNef0ucnD1Pa4oMLqQ', secret: 'q0Yf…' };
const OWNER = { name: 'Ada Nowak', email: 'ada@example.org' };
const PENDING = {
  _id: ID,
  viewId: null,
  boardId: BOARD._id,
  title: BOARD.title,
  parameters: '{"repo":"acme/web"}',
  createdAt: CREATED_AT,
  expiresAt: '2026-12-02T08:00:00.000Z',
  member: null,
  acceptedAt: null,
};
const SHARED_BOARD = {
  _id: ID,
  kind: 'board',
  title: BOARD.title,
  owner: OWNER,
  acceptedAt: '2026-11-25T09:00:00.000Z',
} as const;

/** Examples of sharing between accounts. */
export const INVITATION_EXAMPLES = defineExamples({
  invitations: {
    query: { boardId: BOARD._id },
    response: [
      {
        ...PENDING,
        member: { name: 'Jonas Weber', email: 'jonas@example.org' },
        acceptedAt: SHARED_BOARD.acceptedAt,
      },
    ],
  },
  createInvitation: {
    body: { boardId: BOARD._id, parameters: PENDING.parameters },
    response: { ...PENDING, path: `/dashboard/shared/invitation#${LINK.invitation}.${LINK.secret}` },
  },
  takeBackInvitation: { params: { invitationId: ID }, response: { ok: true } },
  previewInvitation: {
    body: LINK,
    response: { kind: 'board', title: BOARD.title, owner: OWNER, state: 'pending', sharedId: ID },
  },
  acceptInvitation: { body: LINK, response: SHARED_BOARD },
  sharedWithMe: { query: { page: 1 }, response: { results: [SHARED_BOARD], count: 1 } },
  sharedDetails: { params: SHARED, response: SHARED_BOARD },
  openShared: {
    params: SHARED,
    response: { session: 'dds_eyJrZXkiOiI…', expiresAt: '2026-11-25T10:00:00.000Z' },
  },
  copyShared: {
    params: SHARED,
    response: { kind: 'board', _id: BOARD._id, title: BOARD.title, views: 4 },
  },
  leaveShared: { params: SHARED, response: { ok: true } },
});
