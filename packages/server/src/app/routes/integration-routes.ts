import { STALE_TAGS } from '@datadeck/contract';
import type { FastifyInstance } from 'fastify';
import {
  connectByForm,
  disconnect,
  listConnections,
  listProviders,
} from '../../features/connections/index.ts';
import { publishInvalidation } from '../../features/notifications/index.ts';
import { deleteSchedules } from '../../features/schedules/index.ts';
import {
  cancelSync,
  deleteLastSync,
  endRunningSyncs,
  exampleRecords,
  listChanges,
  listEntities,
  listHistory,
  listSyncs,
  listVersions,
  planSync,
  requirePrepared,
  showChange,
  startSync,
  verifySync,
} from '../../features/sync/index.ts';
import { listTemplates, readTemplatePage, sourceOf } from '../../features/templates/index.ts';
import { AppError } from '../../platform/app-error.ts';
import { OpenCounter } from '../../platform/open-counter.ts';
import { deleteProviderData } from '../deletion.ts';
import { clientGone } from '../http/client-gone.ts';
import { route } from '../http/route.ts';
import type { Product } from '../product.ts';

const OK = { ok: true as const };
/** Plans and verifications that a user may have under way: each asks the provider up to a hundred questions. */
const CHECKS_AT_ONCE = 20;

function tooManyChecks(): AppError {
  return new AppError('rate-limited', 'Too many requests of this kind at once. Try again in a moment.', {
    retryAfter: 1,
  });
}
/** A form signs in elsewhere with what somebody typed: it must not serve to try passwords. */
const CONNECT_LIMIT = { config: { rateLimit: { max: 20, timeWindow: 60_000 } } };

/** Providers and their data. */
function registerProviderRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  route(app, product, 'providers', async ({ user }) => listProviders(context, registry, user.id));
  route(
    app,
    product,
    'connect',
    async ({ user, params, body }) => {
      await connectByForm(context, registry, { userId: user.id, provider: params.provider, ...body });
      await publishInvalidation(context, user.id, STALE_TAGS.connection);
      return OK;
    },
    CONNECT_LIMIT,
  );
  route(app, product, 'disconnect', async ({ user, query }) => {
    const mayDisconnect = user.signInProvider !== query.provider;
    for (const { id } of mayDisconnect ? await listConnections(context.db, user.id, query.provider) : []) {
      await deleteSchedules(context.db, user.id, id);
      await endRunningSyncs(context, user.id, 'Cancelled: the provider was disconnected', id);
    }
    await disconnect(context, registry, {
      userId: user.id,
      provider: query.provider,
      signInProvider: user.signInProvider,
    });
    await publishInvalidation(context, user.id, STALE_TAGS.connection);
    return OK;
  });
  route(app, product, 'deleteProviderData', async ({ user, query }) => {
    await deleteProviderData(product, user.id, query.provider);
    return OK;
  });
}

/** Starting, watching, cancelling and undoing syncs. */
function registerSyncRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  route(app, product, 'syncs', async ({ user, query, reply }) => {
    const { page } = query;
    const providers = query.providers.split(',');
    const { syncs, hasMore } = await listSyncs(context, user.id, { providers, page });
    const next = new URLSearchParams({ providers: query.providers, page: String(page + 1) });
    if (hasMore) reply.header('link', `</api/integrations/synchronizations?${next}>; rel="next"`);
    return syncs;
  });
  route(app, product, 'startSync', async ({ user, body }) =>
    startSync(product.background, registry, { ...body, by: { userId: user.id, plan: user.plan } }),
  );
  const checks = new OpenCounter();
  /** Runs a check that calls the provider, unless the user has too many under way. */
  const runCheck = async <T>(userId: string, check: () => Promise<T>): Promise<T> => {
    const leave = checks.enter({ [userId]: CHECKS_AT_ONCE }, tooManyChecks);
    return check().finally(leave);
  };
  route(app, product, 'planSync', async ({ user, body, reply }) =>
    runCheck(user.id, () =>
      planSync(context, product, {
        ...body,
        by: { userId: user.id, plan: user.plan },
        signal: clientGone(reply),
      }),
    ),
  );
  route(app, product, 'verifySync', async ({ user, params, reply }) =>
    runCheck(user.id, () =>
      verifySync(context, product, { userId: user.id, id: params.id, signal: clientGone(reply) }),
    ),
  );
  route(app, product, 'cancelSync', async ({ user, params }) => cancelSync(context, user.id, params.id));
  route(app, product, 'deleteSync', async ({ user, params }) => {
    await deleteLastSync(context, registry, { userId: user.id, id: params.id });
    // Restored records may come from an older extraction.
    product.backfill.wake(product);
    return OK;
  });
  route(app, product, 'syncHistory', async ({ user, query }) => listHistory(context, user.id, query));
  route(app, product, 'entities', async ({ user }) =>
    listEntities(context, registry, { userId: user.id, plan: user.plan }),
  );
}

/** What syncs changed. */
function registerChangeRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  route(app, product, 'syncChanges', async ({ user, params, query }) =>
    listChanges(context, registry, { ...query, id: params.id, userId: user.id, kind: query.kind }),
  );
  route(app, product, 'recordChange', async ({ user, params, query }) =>
    showChange(context, registry, { ...query, id: params.id, userId: user.id }),
  );
  route(app, product, 'recordVersions', async ({ user, params, query }) =>
    listVersions(context, registry, { ...params, ...query, userId: user.id }),
  );
}

/** Records by template. */
function registerTemplateRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  route(app, product, 'exampleRecords', async ({ user, params, query }) => {
    const entity = registry.entity(params.providerId, params.entityLabel);
    const source = await sourceOf(context, registry, { userId: user.id, entity: entity.id });
    if (!source) return { results: [], count: 0 };
    await requirePrepared(context.db, source, { entity });
    return exampleRecords(context.db, source, { entity, limit: query.limit });
  });
  route(app, product, 'templates', async ({ params }) =>
    listTemplates(registry, params.providerId, params.entityLabel),
  );
  route(app, product, 'aggregation', async ({ user, params, query }) =>
    readTemplatePage(context, registry, {
      userId: user.id,
      entity: params.entryCollection,
      templateKey: params.templateKey,
      page: query.page,
    }),
  );
}

export function registerIntegrationRoutes(app: FastifyInstance, product: Product): void {
  registerProviderRoutes(app, product);
  registerSyncRoutes(app, product);
  registerChangeRoutes(app, product);
  registerTemplateRoutes(app, product);
}
