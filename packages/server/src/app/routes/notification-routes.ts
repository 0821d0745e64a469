import type { FastifyInstance } from 'fastify';
import {
  deleteWebhook,
  listNotifications,
  markRead,
  readWebhook,
  saveNoticeMail,
  saveWebhook,
  testWebhook,
} from '../../features/notifications/index.ts';
import { OK, route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Rate limit of webhook tests per user: 20 in ten minutes. */
const TEST_LIMIT = { max: 20, timeWindow: 600_000 };

/** Registers notifications and the webhook. */
export function registerNotificationRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  route(app, product, 'notifications', async ({ user }) => listNotifications(context.db, user.id));
  route(app, product, 'readNotification', async ({ user, params }) => {
    await markRead(context, user.id, params.id);
    return OK;
  });
  route(app, product, 'readNotifications', async ({ user }) => {
    await markRead(context, user.id);
    return OK;
  });
  route(app, product, 'webhook', async ({ user }) => readWebhook(context, user.id));
  route(app, product, 'saveWebhook', async ({ user, body, reply }) => {
    reply.header('cache-control', 'no-store');
    return saveWebhook(context, user.id, body);
  });
  route(app, product, 'saveNoticeMail', async ({ user, body }) => {
    await saveNoticeMail(context, user.id, body.email);
    return OK;
  });
  route(app, product, 'deleteWebhook', async ({ user }) => {
    await deleteWebhook(context.db, user.id);
    return OK;
  });
  route(app, product, 'testWebhook', async ({ user }) => testWebhook(context, product, user.id), {
    config: { rateLimit: TEST_LIMIT },
  });
}
