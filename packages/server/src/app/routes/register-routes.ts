import type { FastifyInstance } from 'fastify';
import type { Product } from '../product.ts';
import { registerAccountRoutes } from './account-routes.ts';
import { registerAdminRoutes } from './admin-routes.ts';
import { registerAlertRoutes } from './alert-routes.ts';
import { registerAuthRoutes } from './auth-routes.ts';
import { registerBoardRoutes } from './board-routes.ts';
import { registerCategoryRoutes } from './category-routes.ts';
import { registerConnectorRoutes } from './connector-routes.ts';
import { registerCurveRoutes } from './curve-routes.ts';
import { registerEventRoutes } from './event-routes.ts';
import { registerInvitationRoutes } from './invitation-routes.ts';
import { registerMcpRoutes } from './mcp-routes.ts';
import { registerNotificationRoutes } from './notification-routes.ts';
import { registerProviderRoutes } from './provider-routes.ts';
import { registerQueryRoutes } from './query-routes.ts';
import { registerRecordRoutes } from './record-routes.ts';
import { registerScheduleRoutes } from './schedule-routes.ts';
import { registerSearchRoutes } from './search-routes.ts';
import { registerShareRoutes } from './share-routes.ts';
import { registerSyncRoutes } from './sync-routes.ts';
import { registerTokenRoutes } from './token-routes.ts';
import { registerViewRoutes } from './view-routes.ts';

/** Registers all endpoints of the API, and the navigations of sign-in. */
export function registerRoutes(app: FastifyInstance, product: Product): void {
  registerAuthRoutes(app, product);
  registerAccountRoutes(app, product);
  registerAdminRoutes(app, product);
  registerConnectorRoutes(app, product);
  registerProviderRoutes(app, product);
  registerSyncRoutes(app, product);
  registerRecordRoutes(app, product);
  registerSearchRoutes(app, product);
  registerQueryRoutes(app, product);
  registerBoardRoutes(app, product);
  registerCategoryRoutes(app, product);
  registerViewRoutes(app, product);
  registerCurveRoutes(app, product);
  registerAlertRoutes(app, product);
  registerNotificationRoutes(app, product);
  registerScheduleRoutes(app, product);
  registerTokenRoutes(app, product);
  registerShareRoutes(app, product);
  registerInvitationRoutes(app, product);
  registerEventRoutes(app, product);
  registerMcpRoutes(app, product);
}
