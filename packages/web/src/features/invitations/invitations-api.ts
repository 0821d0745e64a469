import {
  type CreatedInvitation,
  type CreateInvitation,
  ENDPOINTS,
  type Invitation,
  type InvitationLink,
  type InvitationPreview,
  type SharedCopy,
  type SharedWithMe,
  type SharedWithMePage,
  type ShareSession,
} from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { refreshes } from '../../api/refreshes.ts';

/** The view or board that invitations are for. */
export type Target = { viewId: string } | { boardId: string };

const invitationsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    invitations: build.query<Invitation[], Target>({
      query: (target) => callOf('invitations', { query: target }),
      responseSchema: ENDPOINTS.invitations.response,
      providesTags: ['Shares'],
    }),
    createInvitation: build.mutation<CreatedInvitation, CreateInvitation>({
      query: (body) => callOf('createInvitation', { body }),
      responseSchema: ENDPOINTS.createInvitation.response,
      invalidatesTags: refreshes('Shares'),
    }),
    takeBackInvitation: build.mutation<{ ok: true }, string>({
      query: (invitationId) => callOf('takeBackInvitation', { params: { invitationId } }),
      invalidatesTags: refreshes('Shares'),
    }),
    previewInvitation: build.query<InvitationPreview, InvitationLink>({
      query: (body) => callOf('previewInvitation', { body }),
      responseSchema: ENDPOINTS.previewInvitation.response,
      providesTags: ['Shares'],
    }),
    acceptInvitation: build.mutation<SharedWithMe, InvitationLink>({
      query: (body) => callOf('acceptInvitation', { body }),
      responseSchema: ENDPOINTS.acceptInvitation.response,
      invalidatesTags: refreshes('Shares'),
    }),
    sharedWithMe: build.query<SharedWithMePage, number>({
      query: (page) => callOf('sharedWithMe', { query: { page } }),
      responseSchema: ENDPOINTS.sharedWithMe.response,
      providesTags: ['Shares'],
    }),
    sharedDetails: build.query<SharedWithMe, string>({
      query: (sharedId) => callOf('sharedDetails', { params: { sharedId } }),
      responseSchema: ENDPOINTS.sharedDetails.response,
      providesTags: ['Shares'],
    }),
    openShared: build.mutation<ShareSession, string>({
      query: (sharedId) => callOf('openShared', { params: { sharedId } }),
      responseSchema: ENDPOINTS.openShared.response,
    }),
    copyShared: build.mutation<SharedCopy, string>({
      query: (sharedId) => callOf('copyShared', { params: { sharedId } }),
      responseSchema: ENDPOINTS.copyShared.response,
      invalidatesTags: refreshes('Views', 'Boards'),
    }),
    leaveShared: build.mutation<{ ok: true }, string>({
      query: (sharedId) => callOf('leaveShared', { params: { sharedId } }),
      invalidatesTags: refreshes('Shares'),
    }),
  }),
});

export const {
  useInvitationsQuery,
  useCreateInvitationMutation,
  useTakeBackInvitationMutation,
  usePreviewInvitationQuery,
  useAcceptInvitationMutation,
  useSharedWithMeQuery,
  useSharedDetailsQuery,
  useOpenSharedMutation,
  useCopySharedMutation,
  useLeaveSharedMutation,
} = invitationsApi;
