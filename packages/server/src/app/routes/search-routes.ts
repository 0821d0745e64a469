import type { FastifyInstance } from 'fastify';
import { readRecord } from '../../features/records/index.ts';
import { readConversation, readValues, searchRecords } from '../../features/search/index.ts';
import { route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Registers the search over all records, and the reading of one with its conversation. */
export function registerSearchRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  route(app, product, 'search', async ({ user, query }) =>
    searchRecords(context, registry, { ...query, userId: user.id }),
  );
  route(app, product, 'searchValues', async ({ user, query }) =>
    readValues(context, registry, { ...query, userId: user.id }),
  );
  route(app, product, 'recordReading', async ({ user, params, query }) =>
    readRecord(context, registry, { ...params, ...query, userId: user.id }),
  );
  route(app, product, 'recordConversation', async ({ user, params, query }) =>
    readConversation(context, registry, { ...params, ...query, userId: user.id }),
  );
}
