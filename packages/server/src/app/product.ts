import type { SessionFinder } from '../features/accounts/index.ts';
import type { ConnectorRegistry, Schedulers } from '../features/connections/index.ts';
import type { DeletionWorker } from '../features/deletion/index.ts';
import type { Context } from '../platform/context/index.ts';
import type { InstalledConnectors } from './installed-connectors.ts';
import type { SignInProvider } from './sign-in-providers.ts';

/** The dependencies of routes and workers. */
export interface Product {
  context: Context;
  /** The context with separate database connections, for runs and their start, so that they do not block pages. */
  background: Context;
  /** Finds the users of requests, using separate database connections. */
  sessions: SessionFinder;
  registry: ConnectorRegistry;
  /** What administrators publish of it. */
  connectors: InstalledConnectors;
  /** The identity providers of the login screen, in display order. */
  signInProviders: readonly SignInProvider[];
  /** Deletes the rows of deleted accounts and connections in the background. */
  deletions: DeletionWorker;
  /** Enforces one quota per connection, for syncs, plans and verifications. */
  schedulers: Schedulers;
  /** The URL under which browsers reach the product, without a trailing slash. Final once the server listens. */
  publicUrl(): string;
  /** Returns whether the embedded database's disk is full; false for an external database. */
  isDiskFull(): boolean;
  /** Returns whether the embedded database's disk is almost full; false for an external database. */
  isDiskLow(): boolean;
  version: string;
}
