import type { FastifyInstance } from 'fastify';
import { listChanges, listVersions, showChange } from '../../features/sync/index.ts';
import { listTemplates, readExamples, readTemplatePage } from '../../features/templates/index.ts';
import { route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Registers the routes for records by template, changes by syncs, and versions of records. */
export function registerRecordRoutes(app: FastifyInstance, product: Product): void {
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
  route(app, product, 'exampleRecords', async ({ user, params, query }) =>
    readExamples(context, registry, { ...params, ...query, userId: user.id }),
  );
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
