import type { FastifyInstance } from 'fastify';
import { connectByForm, listProviders } from '../../features/connections/index.ts';
import { deleteProviderData } from '../../features/deletion/index.ts';
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
    async ({ user, params, body }) => {
      await connectByForm(context, registry, { userId: user.id, provider: params.provider, ...body });
      return OK;
    },
    CONNECT_LIMIT,
  );
  route(app, product, 'disconnect', async ({ user, query }) => {
    await disconnectProvider(product, user, query.provider);
    return OK;
  });
  route(app, product, 'deleteProviderData', async ({ user, query }) => {
    await deleteProviderData(product, user.id, query.provider);
    return OK;
  });
}
