import { z } from 'zod';
import { defineEndpoints, okSchema, pageSchema } from './endpoint.ts';
import { SHARED_KINDS, shareSessionSchema } from './shares.ts';
import { SHARE_LIMITS } from './token-endpoints.ts';

/** Limits of sharing between accounts. */
export const INVITATION_LIMITS = {
  /** Invitations of an account, pending and accepted; and what others share with it. */
  perUser: 200,
  /** How long an invitation can be accepted, days. */
  days: 7,
  /** Things that others share with an account, per page. */
  page: 20,
} as const;

const id = z.uuid().max(36);
const kind = z.enum(SHARED_KINDS);

/** The other person of an invitation: `{ name: 'Ada', email: 'ada@example.org' }`. */
export const sharingPersonSchema = z.object({
  name: z.string(),
  email: z.string(),
  /** True for an address that the person typed and nobody has verified. */
  isUnverified: z.boolean().optional(),
});
export type SharingPerson = z.infer<typeof sharingPersonSchema>;

/** Request to create an invitation to one view or board: `{ boardId: '…', parameters: '{"repo":"acme/web"}' }`. */
export const createInvitationSchema = z
  .object({
    viewId: id.optional(),
    boardId: id.optional(),
    /** Fixed values of the parameters as JSON; of a board, each view gets those that it has. */
    parameters: z.string().max(10_000).optional(),
  })
  .refine(({ viewId, boardId }) => (viewId === undefined) !== (boardId === undefined), {
    path: ['boardId'],
    message: 'Either a view or a board',
  });
export type CreateInvitation = z.infer<typeof createInvitationSchema>;

/** An invitation of the user to a view or a board. Times are ISO 8601. */
export const invitationSchema = z.object({
  _id: z.string(),
  viewId: z.string().nullable(),
  boardId: z.string().nullable(),
  /** Title of the view or board. */
  title: z.string(),
  parameters: z.string().nullable(),
  createdAt: z.string(),
  /** Until when it can be accepted. */
  expiresAt: z.string(),
  /** Who accepted it; null while it is pending. */
  member: sharingPersonSchema.nullable(),
  acceptedAt: z.string().nullable(),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** A new invitation. Only this response contains its link: `{ path: '/dashboard/shared/invitation#….…' }`. */
export const createdInvitationSchema = invitationSchema.extend({ path: z.string() });
export type CreatedInvitation = z.infer<typeof createdInvitationSchema>;

/** The two parts of the link `/dashboard/shared/invitation#{invitation}.{secret}`. */
export const invitationLinkSchema = z.object({
  invitation: z.string().max(SHARE_LIMITS.linkPart),
  secret: z.string().max(SHARE_LIMITS.linkPart),
});
export type InvitationLink = z.infer<typeof invitationLinkSchema>;

/** What an invitation is for: `{ kind: 'board', title: 'Reviews', owner: { name: 'Ada', … }, state: 'pending', … }`. */
export const invitationPreviewSchema = z.object({
  kind,
  title: z.string(),
  owner: sharingPersonSchema,
  /** accepted: by this user · own: the user created it. */
  state: z.enum(['pending', 'accepted', 'own']),
  /** Id of what is shared with the user after the acceptance. */
  sharedId: z.string(),
});
export type InvitationPreview = z.infer<typeof invitationPreviewSchema>;

/** A view or board that somebody shares with the user. */
export const sharedWithMeSchema = z.object({
  _id: z.string(),
  kind,
  title: z.string(),
  owner: sharingPersonSchema,
  acceptedAt: z.string(),
});
export type SharedWithMe = z.infer<typeof sharedWithMeSchema>;

/** A page of what others share with the user, newest first; `count` is the number of all. */
export const sharedWithMePageSchema = z.object({
  results: z.array(sharedWithMeSchema),
  count: z.number().int(),
});
export type SharedWithMePage = z.infer<typeof sharedWithMePageSchema>;

/** The copy of a shared view or board: `{ kind: 'board', _id: '…', title: 'Reviews', views: 4 }`. */
export const sharedCopySchema = z.object({
  kind,
  /** Id of the new view or board. */
  _id: z.string(),
  title: z.string(),
  /** Number of views that were created. */
  views: z.number().int(),
});
export type SharedCopy = z.infer<typeof sharedCopySchema>;

const sharedId = z.object({ sharedId: id });

/** Endpoints of sharing between accounts. They need a session: a token never reaches them. */
export const INVITATION_ENDPOINTS = defineEndpoints({
  invitations: {
    method: 'GET',
    path: '/api/data/invitations',
    summary: `Invitations to views and boards that are pending or accepted, newest first, at most ${INVITATION_LIMITS.perUser}`,
    access: 'user',
    query: z.object({ viewId: id.optional(), boardId: id.optional() }),
    response: z.array(invitationSchema),
  },
  createInvitation: {
    method: 'POST',
    path: '/api/data/invitations',
    summary: 'Invite a person with an account to a view or a board; only this response contains the link',
    access: 'change',
    body: createInvitationSchema,
    response: createdInvitationSchema,
    status: 201,
  },
  takeBackInvitation: {
    method: 'DELETE',
    path: '/api/data/invitations/{invitationId}',
    summary: 'End an invitation, and the access of the person who accepted it',
    access: 'change',
    params: z.object({ invitationId: id }),
    response: okSchema,
  },
  previewInvitation: {
    method: 'POST',
    path: '/api/data/invitations/preview',
    summary: 'Who invites to what, by the parts of the link',
    access: 'user',
    body: invitationLinkSchema,
    response: invitationPreviewSchema,
  },
  acceptInvitation: {
    method: 'POST',
    path: '/api/data/invitations/accept',
    summary: 'Accept an invitation; the person who invites then sees name and address of the account',
    access: 'change',
    body: invitationLinkSchema,
    response: sharedWithMeSchema,
  },
  sharedWithMe: {
    method: 'GET',
    path: '/api/data/shared',
    summary: `Views and boards that others share with the user, newest first, pages of ${INVITATION_LIMITS.page}`,
    access: 'user',
    query: z.object({ page: pageSchema }),
    response: sharedWithMePageSchema,
  },
  sharedDetails: {
    method: 'GET',
    path: '/api/data/shared/{sharedId}',
    summary: 'A view or board that is shared with the user',
    access: 'user',
    params: sharedId,
    response: sharedWithMeSchema,
  },
  openShared: {
    method: 'POST',
    path: '/api/data/shared/{sharedId}/sessions',
    summary: 'A share session of one hour for a view or board that is shared with the user',
    access: 'user',
    params: sharedId,
    response: shareSessionSchema,
    status: 201,
  },
  copyShared: {
    method: 'POST',
    path: '/api/data/shared/{sharedId}/copy',
    summary: "Copy a shared view or board, with the views that it needs, to read the user's own records",
    access: 'change',
    params: sharedId,
    response: sharedCopySchema,
    status: 201,
  },
  leaveShared: {
    method: 'DELETE',
    path: '/api/data/shared/{sharedId}',
    summary: 'Leave a view or board that is shared with the user',
    access: 'change',
    params: sharedId,
    response: okSchema,
  },
});
