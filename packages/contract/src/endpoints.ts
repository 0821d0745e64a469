import { z } from 'zod';
import { ACCOUNT_ENDPOINTS } from './account-endpoints.ts';
import { productSchema, signInPreviewSchema, tokenSchema } from './accounts.ts';
import { ADMIN_ENDPOINTS } from './administration.ts';
import { ALERT_ENDPOINTS } from './alerts.ts';
import { AS_OF_ENDPOINTS } from './as-of.ts';
import { BOARD_ENDPOINTS } from './boards.ts';
import { CHANGE_ENDPOINTS } from './change-endpoints.ts';
import { chartDataSchema, queryChartSchema } from './charts.ts';
import {
  connectedAccountSchema,
  connectValuesSchema,
  nameAccountSchema,
  providerSchema,
} from './connections.ts';
import { CONNECTOR_ENDPOINTS } from './connector-builder.ts';
import { CURVE_ENDPOINTS } from './curves.ts';
import {
  accountNameSchema as account,
  defineEndpoints,
  idSchema as id,
  okSchema as ok,
  pageSchema as page,
} from './endpoint.ts';
import { userEntitySchema } from './entities.ts';
import { INVITATION_ENDPOINTS } from './invitations.ts';
import { NOTIFICATION_ENDPOINTS } from './notification-endpoints.ts';
import { PASSKEY_ENDPOINTS } from './passkeys.ts';
import {
  downloadQuerySchema,
  queryAnswerSchema,
  runQuerySchema,
  savedQuerySchema,
  saveQuerySchema,
} from './queries.ts';
import { RECORD_ENDPOINTS } from './record-endpoints.ts';
import { SCHEDULE_ENDPOINTS } from './schedules.ts';
import { SCOPE_ENDPOINTS } from './scopes.ts';
import { SEARCH_ENDPOINTS } from './search.ts';
import { SHARE_ENDPOINTS } from './shares.ts';
import { SIGN_IN_METHOD_ENDPOINTS } from './sign-in-methods.ts';
import {
  historyFilterSchema,
  instantSchema,
  startedAllSchema,
  startSyncSchema,
  syncDaysSchema,
  syncHistorySchema,
  syncNewsSchema,
  syncPlanSchema,
  syncSchema,
  verificationSchema,
} from './sync.ts';
import { timeZoneSchema } from './time-zones.ts';
import { TOKEN_ENDPOINTS } from './token-endpoints.ts';
import { VIEW_ENDPOINTS } from './view-endpoints.ts';

export type { Endpoint } from './endpoint.ts';

/** All accounts of a provider, or one of them. */
const providerQuery = z.object({ provider: id, account });

/** All endpoints except the `/auth/*` navigations. The server registers them; the web app calls them. */
export const ENDPOINTS = defineEndpoints({
  ...ACCOUNT_ENDPOINTS,
  ...ADMIN_ENDPOINTS,
  ...ALERT_ENDPOINTS,
  ...BOARD_ENDPOINTS,
  ...AS_OF_ENDPOINTS,
  ...CHANGE_ENDPOINTS,
  ...CONNECTOR_ENDPOINTS,
  ...CURVE_ENDPOINTS,
  ...INVITATION_ENDPOINTS,
  ...NOTIFICATION_ENDPOINTS,
  ...RECORD_ENDPOINTS,
  ...SCHEDULE_ENDPOINTS,
  ...SHARE_ENDPOINTS,
  ...SCOPE_ENDPOINTS,
  ...SEARCH_ENDPOINTS,
  ...SIGN_IN_METHOD_ENDPOINTS,
  ...PASSKEY_ENDPOINTS,
  ...TOKEN_ENDPOINTS,
  ...VIEW_ENDPOINTS,
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
    summary: 'Providers and their accounts',
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
    response: connectedAccountSchema,
  },
  nameAccount: {
    method: 'PUT',
    path: '/api/integrations/accounts/{provider}',
    summary: 'Name an account of a provider',
    access: 'change',
    params: z.object({ provider: id }),
    body: nameAccountSchema,
    response: ok,
  },
  disconnect: {
    method: 'POST',
    path: '/api/integrations/providers/disconnect',
    summary: 'Disconnect all accounts of a provider, or one; their data stays',
    access: 'change',
    query: providerQuery,
    response: ok,
  },
  deleteProviderData: {
    method: 'POST',
    path: '/api/integrations/entities/delete-all-data',
    summary: 'Delete the data of all accounts of a provider, or of one',
    access: 'change',
    query: providerQuery,
    response: ok,
  },

  syncs: {
    method: 'GET',
    path: '/api/integrations/synchronizations',
    summary:
      'Syncs of the given providers, newest first, 50 per entity, account and page; a Link header contains the next page',
    access: 'user',
    query: z.object({ providers: z.string().max(1000), account, page }),
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
  startAllSyncs: {
    method: 'POST',
    path: '/api/integrations/synchronizations/all',
    summary: 'Start a sync of each source that has been synchronised before and is not running',
    access: 'change',
    response: startedAllSchema,
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
    summary: 'History, pages of 8; `from` and `to` limit when a sync ended',
    access: 'user',
    query: historyFilterSchema.extend({ from: instantSchema.optional(), to: instantSchema.optional(), page }),
    response: syncHistorySchema,
  },
  syncDays: {
    method: 'GET',
    path: '/api/integrations/synchronizations/days',
    summary:
      'Number of syncs on each of the last 90 days of a time zone, by status; days without one are left out',
    access: 'user',
    query: historyFilterSchema.extend({ timeZone: timeZoneSchema }),
    response: syncDaysSchema,
  },
  syncNews: {
    method: 'GET',
    path: '/api/integrations/synchronizations/news',
    summary: 'What the syncs since an instant added, updated and removed, by entity and account',
    access: 'user',
    query: z.object({ from: instantSchema }),
    response: syncNewsSchema,
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
  queryChart: {
    method: 'POST',
    path: '/api/data/query/chart',
    summary: 'What a chart of the whole result of an expression over all rows of a template draws',
    access: 'user',
    body: queryChartSchema,
    response: chartDataSchema,
  },
  downloadQuery: {
    method: 'POST',
    path: '/api/data/query/download',
    summary: 'The whole result of an expression over all rows of a template as a file',
    access: 'user',
    body: downloadQuerySchema,
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
