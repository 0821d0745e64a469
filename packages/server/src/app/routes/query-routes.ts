import type { FastifyInstance } from 'fastify';
import {
  deleteSavedQuery,
  listSavedQueries,
  runQuery,
  saveQuery,
  updateSavedQuery,
} from '../../features/queries/index.ts';
import { disconnectSignal } from '../http/client-disconnect.ts';
import { pageText } from '../http/page-text.ts';
import { OK, route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Registers saved queries and 'All results'. */
export function registerQueryRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  route(app, product, 'savedQueries', async ({ user, query }) =>
    listSavedQueries(context, user.id, query.page),
  );
  route(app, product, 'saveQuery', async ({ user, body }) => saveQuery(context, user.id, body));
  route(app, product, 'updateQuery', async ({ user, params, body }) =>
    updateSavedQuery(context, user.id, params.id, body),
  );
  route(app, product, 'deleteQuery', async ({ user, params }) => {
    await deleteSavedQuery(context, user.id, params.id);
    return OK;
  });
  route(app, product, 'runQuery', async ({ user, body, reply }) =>
    pageText(
      await runQuery(context, registry, {
        userId: user.id,
        entity: body.entryCollection,
        templateKey: body.templateKey,
        search: body.search,
        expression: body.jsonNataQuery,
        bindings: body.parameters ?? {},
        page: body.page,
        signal: disconnectSignal(reply),
      }),
    ),
  );
}
