import type pg from 'pg';
import type { Connector } from '../packages/connectors/src/index.ts';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import { findRunningPostgres } from '../packages/server/src/platform/embedded-postgres/launcher.ts';
import { ChildServer } from '../packages/server/test-support/child-server.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { processorSeconds } from './processor-time.ts';
import { startSandboxProcess } from './sandbox-process.ts';

/** A sync under way is read as often as an open page reads it. */
export const AS_A_PAGE = { everyMs: 200 };
export const USER = 'ada.nowak@sandbox.example';

/** How many requests go at once, at most, where each takes so long. */
export function requestsAtOnce(quota: Connector['quota'], latencyMs: number): number {
  const { concurrency, maxConcurrency = concurrency, growFromMs = 0 } = quota;
  return latencyMs < growFromMs ? concurrency : maxConcurrency;
}

/** A product and a sandbox, a process each, and a signed-in user with the plan pro. */
export interface Trial {
  client: Client;
  server: ChildServer;
  /** Settings that name the sandbox. */
  providers: Record<string, string>;
  /** How the product's embedded database is reached. */
  database: pg.PoolConfig;
  /** Seconds of processor time so far of the product without its database, of the database, of the sandbox. */
  processorTimes(): { product: number; database: number; sandbox: number };
}

/** Runs a task on a new product whose providers are a sandbox with these options; both end with it. */
export async function withProduct<T>(
  options: { sandbox: string[]; settings?: Record<string, string> },
  task: (trial: Trial) => Promise<T>,
): Promise<T> {
  const sandbox = await startSandboxProcess(options.sandbox);
  const folder = makeTemporaryFolder('datadeck-bench-');
  const server = new ChildServer({
    ...sandbox.providers,
    DATA_DIR: folder,
    PORT: String(await findFreePort('127.0.0.1')),
    GMAIL_UNITS_PER_MINUTE: '0',
    GITHUB_POINTS_PER_MINUTE: '0',
    ...options.settings,
  });
  try {
    await server.start();
    const client = await new Client(server).signIn(USER);
    // The plan pro keeps 5,000 records a scope.
    await server.admin('plan', USER, 'pro');
    const database = (await findRunningPostgres(folder)) ?? {};
    const processorTimes = () => {
      const ofDatabase = processorSeconds(server.databasePid);
      return {
        product: processorSeconds(server.pid ?? 0) - ofDatabase,
        database: ofDatabase,
        sandbox: processorSeconds(sandbox.pid),
      };
    };
    const { providers } = sandbox;
    return await task({
      client,
      server,
      providers,
      database,
      processorTimes,
    });
  } finally {
    await server.end('SIGTERM');
    sandbox.stop();
    removeDataFolder(folder);
  }
}
