import type { FastifyInstance } from 'fastify';
import { exportRecords } from '../../features/records/index.ts';
import { listChanges, listVersions, showChange } from '../../features/sync/index.ts';
import { listTemplates, readExamples, readTemplatePage } from '../../features/templates/index.ts';
import { AppError } from '../../platform/app-error.ts';
import { OpenCounter } from '../../platform/open-counter.ts';
import { disconnectSignal } from '../http/client-disconnect.ts';
import { pageText } from '../http/page-text.ts';
import { route } from '../http/route.ts';
import { sendFile, sendUntrustedFile, writtenFormat } from '../http/send-file.ts';
import { sortOf } from '../http/sort.ts';
import type { Product } from '../product.ts';
import { readAttachment } from '../read-attachment.ts';

/** Exports of one user at a time. */
const MAX_EXPORTS = 2;

/** Attachments that are fetched at a time, which are kept in memory, and those of one user. */
const MAX_FETCHES = 8;
const MAX_FETCHES_OF_USER = 2;

const tooManyFetches = (name: string) =>
  new AppError(
    'rate-limited',
    name === 'all'
      ? 'The server is fetching many files at the moment. Try again shortly.'
      : 'Two files are being fetched already. Wait until one is saved, then try again.',
    { retryAfter: 2 },
  );

const tooManyExports = () =>
  new AppError('rate-limited', 'Two exports are running already. Wait until one has ended, then try again.');

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
  const exports = new OpenCounter();
  route(app, product, 'exportRecords', async ({ user, params, query, reply }) => {
    const end = exports.acquire({ [user.id]: MAX_EXPORTS }, tooManyExports);
    reply.raw.once('close', end);
    if (reply.raw.destroyed) end();
    const file = await exportRecords(context, registry, {
      ...params,
      account: query.account,
      userId: user.id,
      format: writtenFormat(query),
    });
    return sendFile(reply, file, { name: params.entityLabel, format: query.format });
  });
  const fetches = new OpenCounter();
  route(app, product, 'attachment', async ({ user, params, query, reply }) => {
    const end = fetches.acquire({ all: MAX_FETCHES, [user.id]: MAX_FETCHES_OF_USER }, tooManyFetches);
    reply.raw.once('close', end);
    if (reply.raw.destroyed) end();
    const signal = disconnectSignal(reply);
    return sendUntrustedFile(
      reply,
      await readAttachment(product, { ...params, ...query, userId: user.id, signal }),
    );
  });
  route(app, product, 'templates', async ({ params }) =>
    listTemplates(registry, params.providerId, params.entityLabel),
  );
  route(app, product, 'aggregation', async ({ user, params, query }) =>
    pageText(
      await readTemplatePage(context, registry, {
        userId: user.id,
        entity: params.entryCollection,
        templateKey: params.templateKey,
        account: query.account,
        page: query.page,
        search: query.search,
        sort: sortOf(query),
      }),
    ),
  );
}
