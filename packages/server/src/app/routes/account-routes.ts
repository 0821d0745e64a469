import type { FastifyInstance } from 'fastify';
import { closeSession, openSession, toProfile } from '../../features/accounts/index.ts';
import { deleteAccount, deleteAllData } from '../deletion.ts';
import { createDemoWorkspace } from '../demo/workspace.ts';
import { limitByNetwork } from '../http/caller.ts';
import { route } from '../http/route.ts';
import { clearSessionCookie, setSessionCookie, tokenOf } from '../http/session.ts';
import type { Product } from '../product.ts';

/** Demo logins an address may make in ten minutes. */
const DEMO_LIMIT = { max: 30, timeWindow: 600_000 };

/** Login, profile and deletion. */
export function registerAccountRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  route(app, product, 'product', async () => ({
    signInProviders: [{ identifier: 'google', title: 'Google' }],
    sandbox: context.config.sandbox,
    version: product.version,
  }));
  route(
    app,
    product,
    'demoLogin',
    async ({ reply }) => {
      const user = await createDemoWorkspace(product);
      const token = await openSession(context.db, user.id);
      setSessionCookie(product, reply, token);
      reply.header('cache-control', 'no-store');
      return { token };
    },
    {
      config: { rateLimit: { ...DEMO_LIMIT, keyGenerator: limitByNetwork } },
      // Who asks by HEAD only looks.
      exposeHeadRoute: false,
    },
  );
  route(app, product, 'logout', async ({ request, reply }) => {
    await closeSession(context, tokenOf(request) ?? '');
    clearSessionCookie(product, reply);
    return { ok: true as const };
  });
  route(app, product, 'profile', async ({ user }) => toProfile(user));
  route(app, product, 'deleteAccount', async ({ user, reply }) => {
    await deleteAccount(product, user.id);
    clearSessionCookie(product, reply);
    return { ok: true as const };
  });
  route(app, product, 'deleteAllData', async ({ user }) => {
    await deleteAllData(product, user.id);
    return { ok: true as const };
  });
}
