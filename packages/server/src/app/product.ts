import type { ConnectorRegistry } from '../features/connections/index.ts';
import type { Context } from '../platform/context.ts';

/** What routes need: the context and the connectors. */
export interface Product {
  context: Context;
  registry: ConnectorRegistry;
  /** Address under which browsers reach the product, without a trailing slash; known once the server listens. */
  publicUrl(): string;
  version: string;
}
