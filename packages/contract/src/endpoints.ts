import { z } from 'zod';
import { ACCOUNT_ENDPOINTS } from './account-endpoints.ts';
import { productSchema, signInPreviewSchema, tokenSchema } from './accounts.ts';
import { ALERT_ENDPOINTS } from './alerts.ts';
import { CHANGE_ENDPOINTS } from './change-endpoints.ts';
import { connectValuesSchema, providerSchema } from './connections.ts';
import { defineEndpoints, idSchema as id, okSchema as ok, pageSchema as page } from './endpoint.ts';
import { userEntitySchema } from './entities.ts';
import { BOUNDS } from './limits.ts';
import { NOTIFICATION_ENDPOINTS } from './notification-endpoints.ts';
import {
  DOWNLOAD_FORMATS,
  downloadQuerySchema,
  exactSchema,
  queryAnswerSchema,
  queryViewSchema,
  runQuerySchema,
  savedQuerySchema,
  saveQuerySchema,
} from './queries.ts';
import { RECORD_ENDPOINTS } from './record-endpoints.ts';
import { saveScheduleSchema, scheduleSchema } from './schedules.ts';
import { SEARCH_ENDPOINTS } from './search.ts';
import { SIGN_IN_METHOD_ENDPOINTS } from './sign-in-methods.ts';
import {
  startSyncSchema,
  syncHistorySchema,
  syncPlanSchema,
  syncSchema,
  syncStatusSchema,
  verificationSchema,
} from './sync.ts';
import { TOKEN_ENDPOINTS } from './token-endpoints.ts';
import {
  allViewsSchema,
  categorySchema,
  createViewSchema,
  deletedViewSchema,
  FEED_FORMATS,
  listedViewSchema,
  restoreViewSchema,
  saveCategorySchema,
  updateViewSchema,
  viewResultsSchema,
  viewSchema,
} from './views.ts';

export type { Endpoint } from './endpoint.ts';

/** Values of a view's parameters as JSON: `{"author":"octocat"}`; at most 10,000 UTF-16 units. */
export const parametersJsonSchema = z.string().max(10_000).optional();
const providerQuery = z.object({ provider: id });
const key = z.string().max(BOUNDS.key);

/** All endpoints except the `/auth/*` navigations. The server registers them; the web app calls them. */
export const ENDPOINTS = defineEndpoints({
  ...ACCOUNT_ENDPOINTS,
  ...ALERT_ENDPOINTS,
  ...CHANGE_ENDPOINTS,
  ...NOTIFICATION_ENDPOINTS,
  ...RECORD_ENDPOINTS,
  ...SEARCH_ENDPOINTS,
  ...SIGN_IN_METHOD_ENDPOINTS,
  ...TOKEN_ENDPOINTS,
  product: {
    method: 'GET',
    path: '/api/product',
    summary: 'Product information for the login screen',
    access: 'none',
    response: productSchema,
  },
  demoLogin: {
    method: 'GET',
    path: '/auth/demo',
    summary: 'Demo login',
    access: 'none',
    response: tokenSchema,
  },
  signInPreview: {
    method: 'GET',
    path: '/auth/sign-in',
    summary: 'The account of the sign-in token in the Authorization header; the token stays valid',
    access: 'none',
    response: signInPreviewSchema,
  },
  signIn: {
    method: 'POST',
    path: '/auth/sign-in',
    summary: 'Exchange the sign-in token in the Authorization header for a session token',
    access: 'none',
    response: tokenSchema,
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    summary: 'Revoke the session',
    access: 'user',
    response: ok,
  },
  providers: {
    method: 'GET',
    path: '/api/integrations/providers',
    summary: 'Providers and their connection',
    access: 'user',
    response: z.array(providerSchema),
  },
  connect: {
    method: 'POST',
    path: '/api/integrations/connections/{provider}',
    summary: 'Connect a provider with the values of its form; signs in at the provider',
    access: 'change',
    params: z.object({ provider: id }),
    body: z.object({ values: connectValuesSchema }),
    response: ok,
  },
  disconnect: {
    method: 'POST',
    path: '/api/integrations/providers/disconnect',
    summary: 'Disconnect a provider, keep its data',
    access: 'change',
    query: providerQuery,
    response: ok,
  },
  deleteProviderData: {
    method: 'POST',
    path: '/api/integrations/entities/delete-all-data',
    summary: "Delete a provider's data",
    access: 'change',
    query: providerQuery,
    response: ok,
  },

  syncs: {
    method: 'GET',
    path: '/api/integrations/synchronizations',
    summary:
      'Syncs of the given providers, newest first, 50 per entity and page; a Link header contains the next page',
    access: 'user',
    query: z.object({ providers: z.string().max(1000), page }),
    response: z.array(syncSchema),
  },
  startSync: {
    method: 'POST',
    path: '/api/integrations/synchronizations',
    summary: 'Start a sync',
    access: 'change',
    body: startSyncSchema,
    response: syncSchema,
    status: 202,
  },
  planSync: {
    method: 'POST',
    path: '/api/integrations/synchronizations/plan',
    summary: 'Estimate of a sync: records, quota cost and duration; does not start it',
    access: 'change',
    body: startSyncSchema.omit({ prevSyncId: true, generalSettings: true }),
    response: syncPlanSchema,
  },
  verifySync: {
    method: 'POST',
    path: '/api/integrations/synchronizations/{id}/verify',
    summary: 'Compare the stored ids with the provider',
    access: 'change',
    params: z.object({ id }),
    response: verificationSchema,
  },
  deleteSync: {
    method: 'DELETE',
    path: '/api/integrations/synchronizations/{id}',
    summary: 'Undo and delete the last sync',
    access: 'change',
    params: z.object({ id }),
    response: ok,
  },
  cancelSync: {
    method: 'POST',
    path: '/api/integrations/synchronizations/{id}/cancel',
    summary: 'Cancel a running sync',
    access: 'change',
    params: z.object({ id }),
    response: syncSchema,
  },
  syncHistory: {
    method: 'GET',
    path: '/api/integrations/synchronizations/history',
    summary: 'History, pages of 8',
    access: 'user',
    query: z.object({
      provider: z.string().max(100).optional(),
      entity: z.string().max(100).optional(),
      status: syncStatusSchema.or(z.literal('')).optional(),
      page,
    }),
    response: syncHistorySchema,
  },
  schedules: {
    method: 'GET',
    path: '/api/integrations/schedules',
    summary: 'Schedules of the current connections',
    access: 'user',
    response: z.array(scheduleSchema),
  },
  saveSchedule: {
    method: 'PUT',
    path: '/api/integrations/schedules/{providerId}/{entityLabel}',
    summary: 'Synchronise an entity hourly, daily or not at all',
    access: 'change',
    params: z.object({ providerId: id, entityLabel: id }),
    body: saveScheduleSchema,
    response: scheduleSchema,
  },
  events: { method: 'GET', path: '/api/events', summary: 'Server-sent events', access: 'user' },

  entities: {
    method: 'GET',
    path: '/api/integrations/entities',
    summary: 'Syncable entities with settings and usage',
    access: 'user',
    response: z.array(userEntitySchema),
  },

  savedQueries: {
    method: 'GET',
    path: '/api/data/jnata-queries',
    summary: 'Saved queries in order of creation, pages of 100',
    access: 'user',
    query: z.object({ page }),
    response: z.array(savedQuerySchema),
  },
  saveQuery: {
    method: 'POST',
    path: '/api/data/jnata-queries',
    summary: 'Save a query',
    access: 'change',
    body: saveQuerySchema,
    response: savedQuerySchema,
    status: 201,
  },
  updateQuery: {
    method: 'PUT',
    path: '/api/data/jnata-queries/{id}',
    summary: 'Rename or change a saved query',
    access: 'change',
    params: z.object({ id }),
    body: saveQuerySchema,
    response: savedQuerySchema,
  },
  deleteQuery: {
    method: 'DELETE',
    path: '/api/data/jnata-queries/{id}',
    summary: 'Delete a saved query',
    access: 'change',
    params: z.object({ id }),
    response: ok,
  },
  runQuery: {
    method: 'POST',
    path: '/api/data/query',
    summary: 'Evaluate an expression over all rows of a template',
    access: 'user',
    body: runQuerySchema,
    response: queryAnswerSchema,
  },
  downloadQuery: {
    method: 'POST',
    path: '/api/data/query/download',
    summary: 'The whole result of an expression over all rows of a template as a file',
    access: 'user',
    body: downloadQuerySchema,
  },

  views: {
    method: 'GET',
    path: '/api/data/views',
    summary: 'Views of an entity',
    access: 'user',
    query: z.object({ providerId: key.optional(), entityLabel: key.optional() }),
    response: z.array(listedViewSchema),
  },
  allViews: {
    method: 'GET',
    path: '/api/data/views/all',
    summary: 'Views of all entities in order of their titles, pages of 100',
    access: 'user',
    query: z.object({ page }),
    response: allViewsSchema,
  },
  createView: {
    method: 'POST',
    path: '/api/data/views',
    summary: 'Create a view',
    access: 'change',
    body: createViewSchema,
    response: viewSchema,
    status: 201,
  },
  updateView: {
    method: 'PUT',
    path: '/api/data/views/{viewId}',
    summary: 'Update a view',
    access: 'change',
    params: z.object({ viewId: id }),
    body: updateViewSchema,
    response: viewSchema,
  },
  deleteView: {
    method: 'DELETE',
    path: '/api/data/views/{viewId}',
    summary: 'Delete a view',
    access: 'user',
    params: z.object({ viewId: id }),
    response: deletedViewSchema,
  },
  restoreView: {
    method: 'POST',
    path: '/api/data/views/restore',
    summary: 'Undo the deletion of a view',
    access: 'user',
    body: restoreViewSchema,
    response: viewSchema,
    status: 201,
  },
  viewResults: {
    method: 'GET',
    path: '/api/data/views/aggregate/{viewId}',
    summary: "A page of a view's result",
    access: 'user',
    params: z.object({ viewId: id }),
    query: z.object({ page, parameters: parametersJsonSchema }),
    response: viewResultsSchema,
  },
  queryView: {
    method: 'POST',
    path: '/api/data/views/query/{viewId}',
    summary: "Evaluate an expression over a view's whole result",
    access: 'user',
    params: z.object({ viewId: id }),
    body: queryViewSchema,
    response: viewResultsSchema,
  },
  downloadView: {
    method: 'GET',
    path: '/api/data/views/download/{viewId}',
    summary: "A view's whole result as a file",
    access: 'user',
    params: z.object({ viewId: id }),
    query: z.object({
      format: z.enum(DOWNLOAD_FORMATS).default('json'),
      exact: exactSchema,
      parameters: parametersJsonSchema,
    }),
  },
  viewFeed: {
    method: 'GET',
    path: '/api/data/views/feed/{viewId}',
    summary:
      'A view as a feed for feed readers and calendars, which may pass a token for this view as `token`',
    access: 'user',
    params: z.object({ viewId: id }),
    query: z.object({
      format: z.enum(FEED_FORMATS).default('atom'),
      token: z.string().max(100).optional(),
      parameters: parametersJsonSchema,
    }),
  },
  categories: {
    method: 'GET',
    path: '/api/data/views/categories',
    summary: 'Categories',
    access: 'user',
    response: z.array(categorySchema),
  },
  createCategory: {
    method: 'POST',
    path: '/api/data/views/category',
    summary: 'Create a category',
    access: 'change',
    body: saveCategorySchema,
    response: categorySchema,
    status: 201,
  },
  updateCategory: {
    method: 'PUT',
    path: '/api/data/views/category/{id}',
    summary: 'Rename a category',
    access: 'change',
    params: z.object({ id }),
    body: saveCategorySchema,
    response: categorySchema,
  },
  deleteCategory: {
    method: 'DELETE',
    path: '/api/data/views/category/{id}',
    summary: 'Delete a category; its views stay',
    access: 'change',
    params: z.object({ id }),
    response: ok,
  },
});

/** Key of an endpoint in `ENDPOINTS`, e.g. `startSync`. */
export type EndpointName = keyof typeof ENDPOINTS;
/** The parsed response of an endpoint. */
export type ResponseOf<N extends EndpointName> = (typeof ENDPOINTS)[N] extends {
  response: infer R extends z.ZodType;
}
  ? z.infer<R>
  : never;
