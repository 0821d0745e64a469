import {
  type CheckedWebhook,
  ENDPOINTS,
  type SavedWebhook,
  type Webhook,
  type WebhookOutcome,
  type Notifications as WireNotifications,
} from '@datadeck/contract';
import { baseApi } from '../../api/base-api.ts';
import { callOf } from '../../api/call-of.ts';
import { type Notifications, toNotifications } from '../../api/models.ts';
import { refreshes } from '../../api/refreshes.ts';

const notificationsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    notifications: build.query<Notifications, void>({
      query: () => callOf('notifications'),
      rawResponseSchema: ENDPOINTS.notifications.response,
      transformResponse: (answer: WireNotifications) => toNotifications(answer),
      providesTags: ['Notifications'],
    }),
    readNotification: build.mutation<{ ok: true }, string>({
      query: (id) => callOf('readNotification', { params: { id } }),
      invalidatesTags: refreshes('Notifications'),
    }),
    readNotifications: build.mutation<{ ok: true }, void>({
      query: () => callOf('readNotifications'),
      invalidatesTags: refreshes('Notifications'),
    }),
    webhook: build.query<Webhook, void>({
      query: () => callOf('webhook'),
      responseSchema: ENDPOINTS.webhook.response,
      providesTags: ['Webhook'],
    }),
    saveWebhook: build.mutation<SavedWebhook, CheckedWebhook>({
      query: (body) => callOf('saveWebhook', { body }),
      responseSchema: ENDPOINTS.saveWebhook.response,
      invalidatesTags: refreshes('Webhook'),
    }),
    saveNoticeMail: build.mutation<{ ok: true }, boolean>({
      query: (email) => callOf('saveNoticeMail', { body: { email } }),
      invalidatesTags: refreshes('Webhook'),
    }),
    deleteWebhook: build.mutation<{ ok: true }, void>({
      query: () => callOf('deleteWebhook'),
      invalidatesTags: refreshes('Webhook'),
    }),
    testWebhook: build.mutation<WebhookOutcome, void>({
      query: () => callOf('testWebhook'),
      responseSchema: ENDPOINTS.testWebhook.response,
      invalidatesTags: refreshes('Webhook'),
    }),
  }),
});

export const {
  useNotificationsQuery,
  useReadNotificationMutation,
  useReadNotificationsMutation,
  useWebhookQuery,
  useSaveNoticeMailMutation,
  useSaveWebhookMutation,
  useDeleteWebhookMutation,
  useTestWebhookMutation,
} = notificationsApi;
