import type { FastifyInstance } from 'fastify';
import {
  deleteSavedQuery,
  downloadQuery,
  listSavedQueries,
  runQuery,
  saveQuery,
  updateSavedQuery,
} from '../../features/queries/index.ts';
import { attachment } from '../http/attachment.ts';
import { disconnectSignal } from '../http/client-disconnect.ts';
import { FILE_TYPES } from '../http/file-types.ts';
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
  route(app, product, 'downloadQuery', async ({ user, body, reply }) => {
    const file = await downloadQuery(context, registry, {
      userId: user.id,
      entity: body.entryCollection,
      templateKey: body.templateKey,
      search: body.search,
      expression: body.jsonNataQuery,
      bindings: body.parameters ?? {},
      format: body.format,
      signal: disconnectSignal(reply),
    });
    // Ends the evaluation if the client disconnects before reading everything.
    reply.raw.once('close', () => file.destroy());
    if (reply.raw.destroyed) file.destroy();
    const { entryCollection, format } = body;
    reply
      .type(FILE_TYPES[format])
      .header('content-disposition', attachment(`query_${entryCollection}.${format}`));
    return reply.send(file);
  });
}
