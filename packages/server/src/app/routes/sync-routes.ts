import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  cancelSync,
  deleteLastSync,
  describeEntities,
  listHistory,
  listHistoryDays,
  listScopeChoices,
  listSyncScopes,
  listSyncs,
  planSync,
  readNews,
  saveSource,
  startAllSyncs,
  startSync,
  verifySync,
} from '../../features/sync/index.ts';
import { AppError } from '../../platform/app-error.ts';
import { OpenCounter } from '../../platform/open-counter.ts';
import { fairQueueOf } from '../http/caller.ts';
import { disconnectSignal } from '../http/client-disconnect.ts';
import { OK, route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Maximum number of concurrent plans and verifications per fair queue. Each may send up to a hundred requests to the provider. */
const MAX_CONCURRENT_CHECKS = 20;

function tooManyChecks(): AppError {
  return new AppError('rate-limited', 'Too many requests of this kind at once. Try again in a moment.', {
    retryAfter: 1,
  });
}

/** Registers planning, starting, watching, cancelling, verifying and undoing syncs. */
export function registerSyncRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  route(app, product, 'syncs', async ({ user, query, reply }) => {
    const { page, account } = query;
    const providers = query.providers.split(',');
    const { syncs, hasMore } = await listSyncs(context, user.id, { providers, account, page });
    const next = new URLSearchParams({
      providers: query.providers,
      ...(account && { account }),
      page: String(page + 1),
    });
    if (hasMore) reply.header('link', `</api/integrations/synchronizations?${next}>; rel="next"`);
    return syncs;
  });
  route(app, product, 'startSync', async ({ user, body }) =>
    startSync(product.background, registry, { ...body, by: { userId: user.id, plan: user.plan } }),
  );
  route(app, product, 'startAllSyncs', async ({ user }) =>
    startAllSyncs(product.background, registry, { userId: user.id, plan: user.plan }),
  );
  route(app, product, 'syncScopes', async ({ user, params, query }) =>
    listSyncScopes(context, { userId: user.id, ...params, ...query }),
  );
  route(app, product, 'saveSource', async ({ user, params, body }) => {
    await saveSource(context, registry, { userId: user.id, ...params, ...body });
    return OK;
  });
  const checks = new OpenCounter();
  /** Runs a check that calls the provider. @throws AppError rate-limited when the caller has too many running */
  const runCheck = async <T>(request: FastifyRequest, check: () => Promise<T>): Promise<T> => {
    const release = checks.acquire({ [fairQueueOf(request)]: MAX_CONCURRENT_CHECKS }, tooManyChecks);
    return check().finally(release);
  };
  route(app, product, 'planSync', async ({ user, body, request, reply }) =>
    runCheck(request, () =>
      planSync(context, product, {
        ...body,
        by: { userId: user.id, plan: user.plan },
        signal: disconnectSignal(reply),
      }),
    ),
  );
  route(app, product, 'verifySync', async ({ user, params, request, reply }) =>
    runCheck(request, () =>
      verifySync(context, product, { userId: user.id, id: params.id, signal: disconnectSignal(reply) }),
    ),
  );
  route(app, product, 'scopeChoices', async ({ user, params, query, request }) =>
    runCheck(request, () => listScopeChoices(context, product, { userId: user.id, ...params, ...query })),
  );
  route(app, product, 'cancelSync', async ({ user, params }) => cancelSync(product, user.id, params.id));
  route(app, product, 'deleteSync', async ({ user, params }) => {
    await deleteLastSync(context, registry, { userId: user.id, id: params.id });
    return OK;
  });
  route(app, product, 'syncHistory', async ({ user, query }) => listHistory(context, user.id, query));
  route(app, product, 'syncDays', async ({ user, query }) => listHistoryDays(context, user.id, query));
  route(app, product, 'syncNews', async ({ user, query }) => readNews(context, user.id, query));
  route(app, product, 'entities', async ({ user }) =>
    describeEntities(context, registry, { userId: user.id, plan: user.plan }),
  );
}
