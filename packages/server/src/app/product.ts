import type { SessionFinder } from '../features/accounts/index.ts';
import type { ConnectorRegistry, Schedulers } from '../features/connections/index.ts';
import type { Context } from '../platform/context/index.ts';
import type { DeletionWorker } from './deletion-worker.ts';

/** What routes need: the context and the connectors. */
export interface Product {
  context: Context;
  /** The same with connections to the database of its own, for runs and what starts them: pages keep theirs. */
  background: Context;
  /** Finds the users of requests, over connections of its own. */
  sessions: SessionFinder;
  registry: ConnectorRegistry;
  /** Removes what was deleted, in the background. */
  deletions: DeletionWorker;
  /** One quota a connection, for syncs and for what is asked beside them. */
  schedulers: Schedulers;
  /** Address under which browsers reach the product, without a trailing slash; known once the server listens. */
  publicUrl(): string;
  /** Whether the embedded database has no room left on its disk; of others it is not known. */
  isDiskFull(): boolean;
  version: string;
}
