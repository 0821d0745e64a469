import type { FastifyInstance } from 'fastify';
import { publishInvalidation } from '../../features/notifications/index.ts';
import { createToken, listTokens, listTokenUses, revokeToken } from '../../features/tokens/index.ts';
import { checkViewValues } from '../../features/views/index.ts';
import { OK, route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Registers API tokens and their access log. */
export function registerTokenRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  route(app, product, 'tokens', ({ user }) => listTokens(context.db, user.id));
  route(app, product, 'createToken', async ({ user, body }) => {
    const { viewId, parameters } = body;
    if (viewId !== undefined) await checkViewValues(context.db, user.id, { viewId, parameters });
    const created = await createToken(context.db, user.id, body);
    await publishInvalidation(context, user.id, ['Tokens']);
    return created;
  });
  route(app, product, 'revokeToken', async ({ user, params }) => {
    await revokeToken(context.db, user.id, params.id);
    await publishInvalidation(context, user.id, ['Tokens']);
    return OK;
  });
  route(app, product, 'tokenUses', ({ user, query }) => listTokenUses(context.db, user.id, query.page));
}
