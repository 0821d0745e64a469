import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Clock, MINUTE_MS } from '@datadeck/connectors';
import type { Sandbox } from '@datadeck/sandbox';
import type pg from 'pg';
import { z } from 'zod';
import { configuredEndpoints, sandboxEndpoints } from './app/connector-registry.ts';
import { sendNotFound } from './app/http/error-mapper.ts';
import { findFreePort, listen } from './app/http/listen.ts';
import { createHttpServer } from './app/http/server.ts';
import { serveWebApp } from './app/http/static-files.ts';
import { InstalledConnectors } from './app/installed-connectors.ts';
import type { Product } from './app/product.ts';
import { registerRoutes } from './app/routes/register-routes.ts';
import { registerServiceRoutes } from './app/routes/service-routes.ts';
import { createSignInProviders } from './app/sign-in-providers.ts';
import { ensureWebBuild } from './app/web-build.ts';
import { SessionFinder } from './features/accounts/index.ts';
import { ConnectionLedger, requireStoredKeys, Schedulers } from './features/connections/index.ts';
import { DeletionWorker } from './features/deletion/index.ts';
import { prepareBroadcastChannel, readBroadcastChannel } from './features/notifications/index.ts';
import { prepareRecordTables } from './features/records/index.ts';
import { prepareSearch } from './features/search/index.ts';
import { readFrameAncestors } from './features/shares/index.ts';
import { endSqlTransactions, prepareSqlAccess } from './features/sql-access/index.ts';
import { exportTableSizes } from './features/sync/index.ts';
import { Broadcast } from './platform/broadcast.ts';
import { publicUrlOf } from './platform/config/address.ts';
import type { Config } from './platform/config/config.ts';
import type { Context } from './platform/context/index.ts';
import { type Database, openDatabase, queryableOf } from './platform/db/database.ts';
import { fairConnections } from './platform/db/fair-connections.ts';
import { migrateDatabase } from './platform/db/migrate.ts';
import { exportPools } from './platform/db/pool-metrics.ts';
import { isSameDatabase } from './platform/db/same-database.ts';
import { unusableDatabase } from './platform/db/unusable.ts';
import { exportDiskSpace } from './platform/embedded-postgres/disk-metrics.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded-postgres/launcher.ts';
import {
  type ListenAddress,
  listenForSql,
  type SqlListenerTask,
} from './platform/embedded-postgres/sql-listener.ts';
import { findKeyring, openKeyring } from './platform/encryption.ts';
import { Evaluations, followForgotten } from './platform/evaluation/index.ts';
import { exportWaitingJobs } from './platform/jobs/job-metrics.ts';
import { Jobs } from './platform/jobs/jobs.ts';
import type { Logger } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import { StartError } from './platform/start-error.ts';
import { startTracing } from './platform/tracing/tracing.ts';
import { type CreateSandbox, createProductSandbox } from './product-sandbox.ts';
import { type Cleanups, QUEUES, startWorkers } from './workers.ts';

const { version: VERSION } = z
  .object({ version: z.string() })
  .parse(createRequire(import.meta.url)('../package.json'));
const JOBS_STOP_TIMEOUT_MS = 5000;
/** Number of database connections for requests. */
const PAGE_CONNECTIONS = 8;
/** Number of database connections for session lookups, which must not wait for other users' pages. */
const SESSION_CONNECTIONS = 2;
/** Timeout of a session lookup, ms, so that later lookups do not wait for a broken connection. */
const SESSION_LOOKUP_TIMEOUT_MS = 10_000;
/** Number of database connections for syncs and their start. */
const RUN_CONNECTIONS = 4;
/** Number of database connections for short statements (quota, notifications), which must not wait for pages of records. */
const CONTROL_CONNECTIONS = 3;
/** How long a run waits for a database connection, ms. Many runs may be waiting. */
const RUN_CONNECTION_TIMEOUT_MS = 30_000;

/** A running Datadeck. */
export interface RunningServer {
  /** Its URL, for example http://127.0.0.1:3000. */
  url: string;
  product: Product;
  /** The sandbox, if enabled. */
  sandbox: Sandbox | undefined;
  /** Finishes requests, releases syncs at their checkpoint, stops the database. */
  stop(): Promise<void>;
}

/** The state shared by the steps of a start. */
interface StartState {
  /** Run in reverse order by `stop`. */
  cleanups: Cleanups;
  stop(): Promise<void>;
  clock: Clock | undefined;
  liveMs: number | undefined;
  createSandbox: CreateSandbox | undefined;
  onDatabase(embedded: EmbeddedPostgres): void;
}

interface Storage {
  embedded: EmbeddedPostgres | undefined;
  connection: EmbeddedPostgres['connection'];
  /** Leads to the same database without a pooler: sessions keep their LISTEN and locks. */
  direct: EmbeddedPostgres['connection'];
}

/** Returns what the listener for SQL roles needs. */
function sqlListenerOf({ connection }: EmbeddedPostgres, address: ListenAddress): SqlListenerTask {
  const { host, port, user = '', database = '' } = connection;
  return { ...address, socket: `${host}/.s.PGSQL.${port}`, database, refusedUser: user };
}

/** Starts the embedded database unless `DATABASE_URL` names another one. */
async function openStorage(
  config: Config,
  log: Logger,
  { cleanups, onDatabase }: StartState,
): Promise<Storage> {
  if (config.DATABASE_URL !== undefined)
    return {
      embedded: undefined,
      connection: { connectionString: config.DATABASE_URL },
      direct: { connectionString: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL },
    };
  const embedded = await startEmbeddedPostgres(config.DATA_DIR, {
    onEvent: (event) => log.warn(event),
  });
  cleanups.push(() => embedded.stop());
  if (config.SQL_LISTEN) cleanups.push(await listenForSql(sqlListenerOf(embedded, config.SQL_LISTEN)));
  onDatabase(embedded);
  return { embedded, connection: embedded.connection, direct: embedded.connection };
}

function prepareDataDir(config: Config): void {
  if (config.DATABASE_URL !== undefined && config.ENCRYPTION_KEY !== undefined) return;
  try {
    mkdirSync(config.DATA_DIR, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The data folder ${config.DATA_DIR} cannot be created (${reason}). Set DATA_DIR to a folder that this user may write.`,
      error,
    );
  }
}

async function requireSameDatabase(
  { config, db }: Pick<Context, 'config' | 'db'>,
  direct: Database,
): Promise<void> {
  if (config.DATABASE_DIRECT_URL === undefined || (await isSameDatabase(db, direct))) return;
  throw new StartError(
    'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases or servers. Set DATABASE_DIRECT_URL to the database that the pooler of DATABASE_URL leads to, or remove it when there is no pooler.',
  );
}

async function migrate(
  context: Pick<Context, 'config' | 'db' | 'log'>,
  connectors: InstalledConnectors,
  connection: Storage['direct'],
): Promise<void> {
  const direct = openDatabase(connection, context.log, 1);
  try {
    await requireSameDatabase(context, direct);
    const prepare = async (client: pg.ClientBase) => {
      await prepareBroadcastChannel(queryableOf(client));
      await connectors.load(queryableOf(client));
      const entities = connectors.registry.entities();
      await prepareRecordTables(client, entities);
      await prepareSearch(client, entities);
      await prepareSqlAccess(client, entities, { isEmbedded: context.config.DATABASE_URL === undefined });
    };
    await migrateDatabase(direct.$client, prepare, {
      makeWay: (client) => endSqlTransactions(queryableOf(client)),
      onWait: (seconds, holder) =>
        context.log.warn({ seconds, holder }, 'the start waits for a transaction of another session to end'),
    });
  } catch (error) {
    throw unusableDatabase(error, context.config);
  } finally {
    await direct.$client.end();
  }
}

type Pools = ReturnType<typeof openPools>;

/** Opens a pool of database connections for each kind of work, so that one kind never waits for another. */
function openPools(connection: Storage['connection'], log: Logger, cleanups: Cleanups) {
  const open = (options: Storage['connection'], size: number, timeoutMs?: number) => {
    const db = openDatabase(options, log, size, timeoutMs);
    cleanups.push(() => db.$client.end());
    return db;
  };
  const pages = open(connection, PAGE_CONNECTIONS);
  return {
    pages,
    waitingForPages: fairConnections(pages),
    sessions: open({ ...connection, query_timeout: SESSION_LOOKUP_TIMEOUT_MS }, SESSION_CONNECTIONS),
    runs: open(connection, RUN_CONNECTIONS, RUN_CONNECTION_TIMEOUT_MS),
    control: open(connection, CONTROL_CONNECTIONS, RUN_CONNECTION_TIMEOUT_MS),
  };
}

/** Creates the services of the platform; `startServices` starts them once the database is migrated. */
function createContext(
  config: Config,
  log: Logger,
  { storage, pools, state }: { storage: Storage; pools: Pools; state: StartState },
): Omit<Context, 'keyring'> {
  const evaluation = new Evaluations(join(config.DATA_DIR, 'results'), { liveMs: state.liveMs });
  state.cleanups.push(() => evaluation.close());
  const metrics = createMetrics();
  exportPools(metrics.registry, pools);
  exportDiskSpace(metrics.registry, storage.embedded);
  exportWaitingJobs(metrics.registry, pools.control, QUEUES);
  return {
    config,
    db: pools.pages,
    log,
    evaluation,
    broadcast: new Broadcast(storage.direct, pools.control.$client, {
      log,
      readChannel: () => readBroadcastChannel(pools.control),
    }),
    jobs: new Jobs(storage.connection, QUEUES, { log, metrics }),
    metrics,
  };
}

/** Starts broadcasts and job queues. */
async function startServices({ broadcast, jobs, evaluation }: Context, cleanups: Cleanups): Promise<void> {
  await broadcast.start();
  followForgotten(broadcast, evaluation);
  cleanups.push(() => broadcast.close());
  await jobs.start();
  cleanups.push(() => jobs.stop(JOBS_STOP_TIMEOUT_MS));
}

interface ProductParts extends Pick<Product, 'connectors' | 'publicUrl'> {
  pools: Pools;
  embedded: EmbeddedPostgres | undefined;
  state: StartState;
}

/** Creates what routes and workers depend on. */
function createProduct(
  context: Context,
  { pools, connectors, embedded, publicUrl, state }: ProductParts,
): Product {
  const background = { ...context, db: pools.runs };
  const { registry } = connectors;
  state.cleanups.push(connectors.follow(background));
  exportTableSizes(context.metrics.registry, pools.control, registry);
  const deletions = new DeletionWorker(background);
  state.cleanups.push(() => deletions.stop());
  return {
    context,
    background,
    sessions: new SessionFinder(pools.sessions),
    registry,
    connectors,
    signInProviders: createSignInProviders(context.config, registry),
    deletions,
    schedulers: new Schedulers({
      ...(state.clock && { clock: state.clock }),
      createLedger: (connection, quota) => new ConnectionLedger(pools.control, connection, quota),
      minuteMs: MINUTE_MS / context.config.QUOTA_TIME_SCALE,
    }),
    publicUrl,
    isDiskFull: () => embedded?.isDiskFull() ?? false,
    isDiskLow: () => embedded?.isDiskLow() ?? false,
    version: VERSION,
  };
}

/** Starts to build the web app if this process serves it. @returns the folder of the build */
function startWebBuild(config: Config, log: Logger): Promise<string> | undefined {
  if (config.ROLE === 'worker' || config.WEB_APP !== 'on') return undefined;
  const building = ensureWebBuild(log);
  // `serve` reports a failure; until then it must not count as an unhandled rejection.
  building.catch(() => undefined);
  return building;
}

interface ServedParts {
  sandbox: Sandbox | undefined;
  webBuild: Promise<string> | undefined;
  cleanups: Cleanups;
}

/** Listens for requests: the web app and the API, or in a worker only health and metrics. @returns the URL */
async function serve(product: Product, { sandbox, webBuild, cleanups }: ServedParts): Promise<string> {
  const { config } = product.context;
  const app = await createHttpServer(product);
  registerServiceRoutes(app, product);
  if (config.ROLE !== 'worker') {
    registerRoutes(app, product);
    if (sandbox) await app.register(sandbox.plugin, { prefix: '/sandbox' });
  }
  if (webBuild) await serveWebApp(app, await webBuild, (share) => readFrameAncestors(product.context, share));
  else app.setNotFoundHandler(sendNotFound);
  const url = await listen(app, config);
  cleanups.push(() => app.close());
  return url;
}

export interface StartOptions {
  /** The clock of waits for providers. Default: real time. */
  clock?: Clock | undefined;
  /** Timeout of live evaluations, ms. Default: the product's. */
  liveMs?: number | undefined;
  createSandbox?: CreateSandbox | undefined;
  /** Called when the embedded database runs. It may outlive a process that exits before `stop` is done. */
  onDatabase?: (embedded: EmbeddedPostgres) => void;
}

/**
 * Starts the product: database, migrations, jobs, workers, web.
 * @throws StartError with a message for the person who starts it
 */
export async function startServer(
  config: Config,
  log: Logger,
  { clock, liveMs, createSandbox, onDatabase = () => undefined }: StartOptions = {},
): Promise<RunningServer> {
  const cleanups: Cleanups = [];
  const stop = async () => {
    for (const cleanUp of cleanups.splice(0).reverse())
      await (async () => cleanUp())().catch((error) => log.warn({ err: error }, 'stopping'));
  };
  try {
    return await compose(config, log, { cleanups, stop, clock, liveMs, createSandbox, onDatabase });
  } catch (error) {
    await stop();
    throw error;
  }
}

async function compose(given: Config, log: Logger, state: StartState): Promise<RunningServer> {
  const { cleanups, stop } = state;
  const config = given.PORT === 0 ? { ...given, PORT: await findFreePort(given.HOST) } : given;
  cleanups.push(await startTracing(config.OTEL_EXPORTER_OTLP_ENDPOINT, VERSION));
  prepareDataDir(config);
  const webBuild = startWebBuild(config, log);
  const storage = await openStorage(config, log, state);
  const pools = openPools(storage.connection, log, cleanups);
  const services = createContext(config, log, { storage, pools, state });
  let address = publicUrlOf(config);
  const publicUrl = () => address;
  const sandbox = await createProductSandbox(config, publicUrl, state.createSandbox);
  const endpoints = sandbox ? sandboxEndpoints(config, sandbox) : configuredEndpoints(config);
  const connectors = new InstalledConnectors(endpoints, config, log);
  await migrate(services, connectors, storage.direct);
  // A refused start, for example after a restore without the key, must write no new key.
  await requireStoredKeys(pools.pages, findKeyring(config.ENCRYPTION_KEY, config.DATA_DIR));
  const context = { ...services, keyring: openKeyring(config.ENCRYPTION_KEY, config.DATA_DIR) };
  await startServices(context, cleanups);
  const product = createProduct(context, {
    pools,
    connectors,
    embedded: storage.embedded,
    publicUrl,
    state,
  });
  const url = await serve(product, { sandbox, webBuild, cleanups });
  address = config.PUBLIC_URL ?? url;
  if (config.ROLE !== 'web')
    await startWorkers(product, { isOnlyProcess: storage.embedded !== undefined, cleanups });
  return { url, product, sandbox, stop };
}
