import type { FastifyInstance } from 'fastify';
import {
  deleteSavedQuery,
  listSavedQueries,
  runQuery,
  saveQuery,
  updateSavedQuery,
} from '../../features/queries/index.ts';
import {
  createCategory,
  createView,
  deleteCategory,
  deleteView,
  downloadView,
  listCategories,
  listViews,
  readViewPage,
  restoreView,
  sealDeleted,
  updateCategory,
  updateView,
} from '../../features/views/index.ts';
import { atField } from '../../platform/app-error.ts';
import { clientGone } from '../http/client-gone.ts';
import { JsonText, route } from '../http/route.ts';
import type { Product } from '../product.ts';

const OK = { ok: true as const };
const CONTENT_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

/** A page of results in JSON, made around the text that the evaluation gave. */
function pageText({ text, ...rest }: { text: string; count: number }): JsonText {
  return new JsonText(`{"results":${text},${JSON.stringify(rest).slice(1)}`);
}

function registerQueryRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  route(app, product, 'savedQueries', async ({ user, query }) =>
    listSavedQueries(context, user.id, query.page),
  );
  route(app, product, 'saveQuery', async ({ user, body }) => {
    await atField('jsonNataQuery', context.evaluation.check(body.jsonNataQuery, user.id));
    return context.db.transaction((tx) => saveQuery(tx, user.id, body));
  });
  route(app, product, 'updateQuery', async ({ user, params, body }) => {
    await atField('jsonNataQuery', context.evaluation.check(body.jsonNataQuery, user.id));
    return updateSavedQuery(context, user.id, params.id, body);
  });
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
        expression: body.jsonNataQuery,
        bindings: body.parameters ?? {},
        page: body.page,
        signal: clientGone(reply),
      }),
    ),
  );
}

function registerCategoryRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  route(app, product, 'categories', async ({ user }) => listCategories(context, user.id));
  route(app, product, 'createCategory', async ({ user, body }) =>
    context.db.transaction((tx) => createCategory(tx, user.id, body)),
  );
  route(app, product, 'updateCategory', async ({ user, params, body }) =>
    updateCategory(context, user.id, params.id, body),
  );
  route(app, product, 'deleteCategory', async ({ user, params }) => {
    await deleteCategory(context, user.id, params.id);
    return OK;
  });
}

/** RFC 8187: of the marks that `encodeURIComponent` leaves, quotes, brackets and stars have a meaning of their own. */
function extendedValue(text: string): string {
  const coded = (mark: string) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
  return `UTF-8''${encodeURIComponent(text).replaceAll(/['()*]/g, coded)}`;
}

/** RFC 6266: the title in ASCII for old readers, whole for the others. */
function attachment(title: string, extension: string): string {
  const name = `view_${title}.${extension}`;
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\/]/g, '_');
  return `attachment; filename="${ascii}"; filename*=${extendedValue(name)}`;
}

function registerViewRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  route(app, product, 'views', async ({ user, query }) =>
    listViews(context, user.id, { provider: query.providerId, entity: query.entityLabel }),
  );
  route(app, product, 'createView', async ({ user, body }) => createView(context, registry, user.id, body));
  route(app, product, 'updateView', async ({ user, params, body }) =>
    updateView(context, user.id, params.viewId, body),
  );
  route(app, product, 'deleteView', async ({ user, params }) => {
    const deleted = await deleteView(context, user.id, params.viewId);
    return { ok: true as const, undo: sealDeleted(context, deleted) };
  });
  route(app, product, 'restoreView', async ({ user, body }) =>
    restoreView(context, registry, { userId: user.id, undo: body.undo }),
  );
  route(app, product, 'viewResults', async ({ user, params, query, reply }) =>
    pageText(
      await readViewPage(context, registry, {
        userId: user.id,
        viewId: params.viewId,
        page: query.page,
        parameters: query.parameters,
        signal: clientGone(reply),
      }),
    ),
  );
  route(app, product, 'downloadView', async ({ user, params, query, reply }) => {
    const { title, text } = await downloadView(context, registry, {
      userId: user.id,
      viewId: params.viewId,
      format: query.format,
      parameters: query.parameters,
      signal: clientGone(reply),
    });
    // Its caller may have left before anybody reads it.
    reply.raw.once('close', () => text.destroy());
    if (reply.raw.destroyed) text.destroy();
    reply
      .type(`${CONTENT_TYPES[query.format]}; charset=utf-8`)
      .header('content-disposition', attachment(title, query.format));
    return reply.send(text);
  });
}

/** Saved queries, views, categories. */
export function registerDataRoutes(app: FastifyInstance, product: Product): void {
  registerQueryRoutes(app, product);
  registerCategoryRoutes(app, product);
  registerViewRoutes(app, product);
}
