import type { FastifyInstance } from 'fastify';
import {
  createAlert,
  deleteAlert,
  listAlerts,
  listDeliveries,
  readDelivery,
  testAlert,
  updateAlert,
} from '../../features/alerts/index.ts';
import { OK, route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Rate limit of tests per user: 20 in ten minutes. */
const TEST_LIMIT = { max: 20, timeWindow: 600_000 };

/** Registers alerts and their deliveries. */
export function registerAlertRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  route(app, product, 'alerts', ({ user }) => listAlerts(context, user.id));
  route(app, product, 'createAlert', async ({ user, body, reply }) => {
    reply.header('cache-control', 'no-store');
    return createAlert(context, user.id, body);
  });
  route(app, product, 'updateAlert', async ({ user, params, body, reply }) => {
    reply.header('cache-control', 'no-store');
    return updateAlert(context, user.id, { ...body, id: params.id });
  });
  route(app, product, 'deleteAlert', async ({ user, params }) => {
    await deleteAlert(context, user.id, params.id);
    return OK;
  });
  route(
    app,
    product,
    'testAlert',
    ({ user, params, query }) =>
      testAlert(
        context,
        { site: product, registry: product.registry },
        { userId: user.id, id: params.id, rows: query.rows },
      ),
    { config: { rateLimit: TEST_LIMIT } },
  );
  route(app, product, 'alertDelivery', ({ user, params }) => readDelivery(context.db, user.id, params.id));
  route(app, product, 'alertDeliveries', ({ user, query }) => listDeliveries(context.db, user.id, query));
}
