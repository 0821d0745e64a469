import type { FastifyInstance } from 'fastify';
import { publishInvalidation } from '../../features/notifications/index.ts';
import { checkShared, requireSharing } from '../../features/shares/index.ts';
import { createToken, listTokens, listTokenUses, revokeToken } from '../../features/tokens/index.ts';
import { OK, route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Registers API tokens and their access log. */
export function registerTokenRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  route(app, product, 'tokens', ({ user }) => listTokens(context.db, user.id));
  route(app, product, 'createToken', async ({ user, body }) => {
    if (body.boardId !== undefined || body.password !== undefined) requireSharing(context);
    await checkShared(context.db, user.id, body);
    const created = await createToken(context.db, user.id, body);
    await publishInvalidation(context, user.id, ['Tokens']);
    return { ...created, ...(context.config.SHARING === 'off' && { sharePath: null }) };
  });
  route(app, product, 'revokeToken', async ({ user, params }) => {
    await revokeToken(context.db, user.id, params.id);
    await publishInvalidation(context, user.id, ['Tokens']);
    return OK;
  });
  route(app, product, 'tokenUses', ({ user, query }) => listTokenUses(context.db, user.id, query.page));
}
