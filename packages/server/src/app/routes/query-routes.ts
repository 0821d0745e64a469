import type { RunQuery } from '@datadeck/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { readQueryChart } from '../../features/charts/index.ts';
import {
  deleteSavedQuery,
  downloadQuery,
  listSavedQueries,
  runQuery,
  saveQuery,
  updateSavedQuery,
} from '../../features/queries/index.ts';
import { disconnectSignal } from '../http/client-disconnect.ts';
import { pageText } from '../http/page-text.ts';
import { OK, route } from '../http/route.ts';
import { sendFile, writtenFormat } from '../http/send-file.ts';
import { sortOf } from '../http/sort.ts';
import type { Product } from '../product.ts';

/** Returns the query that a request asks for. */
function queryOf(userId: string, body: Omit<RunQuery, 'page' | 'sort'>, reply: FastifyReply) {
  return {
    userId,
    entity: body.entryCollection,
    templateKey: body.templateKey,
    account: body.account,
    search: body.search,
    expression: body.jsonNataQuery,
    bindings: body.parameters ?? {},
    signal: disconnectSignal(reply),
  };
}

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
        ...queryOf(user.id, body, reply),
        page: body.page,
        sort: sortOf(body),
      }),
    ),
  );
  route(app, product, 'queryChart', async ({ user, body, reply }) =>
    readQueryChart(context, registry, {
      ...queryOf(user.id, body, reply),
      chart: body.chart,
      timeZone: body.timeZone,
    }),
  );
  route(app, product, 'downloadQuery', async ({ user, body, reply }) => {
    const { entryCollection, format } = body;
    const request = { ...queryOf(user.id, body, reply), format: writtenFormat(body) };
    const file = await downloadQuery(context, registry, request);
    return sendFile(reply, file, { name: `query_${entryCollection}`, format });
  });
}
