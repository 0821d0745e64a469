import { STALE_TAGS } from '@datadeck/contract';
import type { FastifyInstance } from 'fastify';
import { listProviders, requireAccount, saveAccountTitle } from '../../features/connections/index.ts';
import { deleteProviderData } from '../../features/deletion/index.ts';
import { publishInvalidation } from '../../features/notifications/index.ts';
import { connectAccount } from '../connect-account.ts';
import { disconnectProvider } from '../disconnect-provider.ts';
import { OK, route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Rate limit of connect forms, which must not be usable to guess passwords at other services. */
const CONNECT_LIMIT = { config: { rateLimit: { max: 20, timeWindow: 60_000 } } };

/** Registers providers and their connections. */
export function registerProviderRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  route(app, product, 'providers', async ({ user }) => listProviders(context, registry, user.id));
  route(
    app,
    product,
    'connect',
    async ({ user, params, body }) => ({
      ...OK,
      ...(await connectAccount(product, { userId: user.id, provider: params.provider, ...body })),
    }),
    CONNECT_LIMIT,
  );
  route(app, product, 'nameAccount', async ({ user, params, body }) => {
    const connector = registry.connector(params.provider);
    const account = await requireAccount(context.db, user.id, connector, body.account);
    await saveAccountTitle(context.db, account, body.title);
    await publishInvalidation(context, user.id, STALE_TAGS.connection);
    return OK;
  });
  route(app, product, 'disconnect', async ({ user, query }) => {
    await disconnectProvider(product, user, query);
    return OK;
  });
  route(app, product, 'deleteProviderData', async ({ user, query }) => {
    await deleteProviderData(product, user.id, query);
    return OK;
  });
}
