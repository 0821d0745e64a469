import { z } from 'zod';
import { defineEndpoints, idSchema, okSchema } from './endpoint.ts';
import {
  noticeMailSchema,
  notificationsSchema,
  savedWebhookSchema,
  saveWebhookSchema,
  webhookOutcomeSchema,
  webhookSchema,
} from './notifications.ts';

/** Endpoints of notifications and of the webhook that receives them. */
export const NOTIFICATION_ENDPOINTS = defineEndpoints({
  notifications: {
    method: 'GET',
    path: '/api/notifications',
    summary: 'The newest notifications',
    access: 'user',
    response: notificationsSchema,
  },
  readNotification: {
    method: 'POST',
    path: '/api/notifications/{id}/read',
    summary: 'Mark a notification as read',
    access: 'user',
    params: z.object({ id: idSchema }),
    response: okSchema,
  },
  readNotifications: {
    method: 'POST',
    path: '/api/notifications/read',
    summary: 'Mark all notifications as read',
    access: 'user',
    response: okSchema,
  },
  webhook: {
    method: 'GET',
    path: '/api/notifications/webhook',
    summary: 'The webhook and its last delivery',
    access: 'user',
    response: webhookSchema,
  },
  saveWebhook: {
    method: 'PUT',
    path: '/api/notifications/webhook',
    summary: 'Set the webhook; only this response contains its new secret',
    access: 'change',
    body: saveWebhookSchema,
    response: savedWebhookSchema,
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/api/notifications/webhook',
    summary: 'Remove the webhook',
    access: 'change',
    response: okSchema,
  },
  saveNoticeMail: {
    method: 'PUT',
    path: '/api/notifications/email',
    summary: 'Mail what the webhook receives, or stop it',
    access: 'change',
    body: noticeMailSchema,
    response: okSchema,
  },
  testWebhook: {
    method: 'POST',
    path: '/api/notifications/webhook/test',
    summary: 'Send a test to the webhook now',
    access: 'change',
    response: webhookOutcomeSchema,
  },
});
