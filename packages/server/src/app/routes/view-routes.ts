import { FEED_TYPES } from '@datadeck/contract';
import type { FastifyInstance } from 'fastify';
import { readViewChart } from '../../features/charts/index.ts';
import {
  createView,
  downloadView,
  feedView,
  listAllViews,
  listViews,
  readViewPage,
  restoreView,
  updateView,
} from '../../features/views/index.ts';
import { deleteViewWithAlerts } from '../delete-view.ts';
import { disconnectSignal } from '../http/client-disconnect.ts';
import { pageText } from '../http/page-text.ts';
import { route } from '../http/route.ts';
import { sendFile, writtenFormat } from '../http/send-file.ts';
import { sortOf } from '../http/sort.ts';
import { viewLimitsOf } from '../http/token-caller.ts';
import type { Product } from '../product.ts';

/** Registers views, their results and downloads. */
export function registerViewRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  route(app, product, 'views', async ({ user, query }) =>
    listViews(context, user.id, { provider: query.providerId, entity: query.entityLabel }),
  );
  route(app, product, 'allViews', async ({ user, query }) => listAllViews(context, user.id, query.page));
  route(app, product, 'createView', async ({ user, body }) => createView(context, registry, user.id, body));
  route(app, product, 'updateView', async ({ user, params, body }) =>
    updateView(context, registry, { userId: user.id, id: params.viewId, request: body }),
  );
  route(app, product, 'deleteView', async ({ user, params }) =>
    deleteViewWithAlerts(product, user.id, params.viewId),
  );
  route(app, product, 'restoreView', async ({ user, body }) =>
    restoreView(context, registry, { userId: user.id, undo: body.undo }),
  );
  route(app, product, 'viewResults', async ({ user, params, query, request, reply }) =>
    pageText(
      await readViewPage(context, registry, {
        userId: user.id,
        viewId: params.viewId,
        page: query.page,
        parameters: query.parameters,
        account: query.account,
        sort: sortOf(query),
        signal: disconnectSignal(reply),
        ...(await viewLimitsOf(product, request, params.viewId)),
      }),
    ),
  );
  route(app, product, 'queryView', async ({ user, params, body, reply }) =>
    pageText(
      await readViewPage(context, registry, {
        userId: user.id,
        viewId: params.viewId,
        page: body.page,
        expression: body.jsonNataQuery,
        account: body.account,
        sort: sortOf(body),
        parameters: body.parameters && JSON.stringify(body.parameters),
        signal: disconnectSignal(reply),
      }),
    ),
  );
  route(app, product, 'viewChart', async ({ user, params, body, reply }) =>
    readViewChart(context, registry, {
      userId: user.id,
      viewId: params.viewId,
      chart: body.chart,
      timeZone: body.timeZone,
      account: body.account,
      parameters: body.parameters && JSON.stringify(body.parameters),
      ...(body.jsonNataQuery !== undefined && { expression: body.jsonNataQuery }),
      signal: disconnectSignal(reply),
    }),
  );
  route(app, product, 'downloadView', async ({ user, params, query, request, reply }) => {
    const { title, file } = await downloadView(context, registry, {
      userId: user.id,
      viewId: params.viewId,
      format: writtenFormat(query),
      parameters: query.parameters,
      account: query.account,
      signal: disconnectSignal(reply),
      ...(await viewLimitsOf(product, request, params.viewId)),
    });
    return sendFile(reply, file, { name: `view_${title}`, format: query.format });
  });
  route(app, product, 'viewFeed', async ({ user, params, query, request, reply }) => {
    const { feed, tag, isKnown } = await feedView(context, registry, {
      userId: user.id,
      viewId: params.viewId,
      format: query.format,
      knownTag: request.headers['if-none-match']?.replace(/^W\//, ''),
      parameters: query.parameters,
      account: query.account,
      signal: disconnectSignal(reply),
      ...(await viewLimitsOf(product, request, params.viewId)),
    });
    // The address may contain a token.
    reply.headers({ etag: tag, 'cache-control': 'private, no-cache', 'referrer-policy': 'no-referrer' });
    if (isKnown) return reply.code(304).send();
    return reply.type(`${FEED_TYPES[query.format]}; charset=utf-8`).send(feed);
  });
}
