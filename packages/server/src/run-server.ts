import { announcementOf } from './app/announcement.ts';
import { parseConfig } from './platform/config/config.ts';
import type { EmbeddedPostgres } from './platform/embedded-postgres/launcher.ts';
import { createLogger } from './platform/log.ts';
import { StartError } from './platform/start-error.ts';
import { type RunningServer, type StartOptions, startServer } from './server.ts';

/** Timeout of a graceful stop. After it the process exits, and the next start continues its work. */
const STOP_TIMEOUT_MS = 15_000;

async function announce(server: RunningServer): Promise<void> {
  const lines = [...(await announcementOf(server.product)), 'Stop it with Ctrl+C.'];
  process.stderr.write(`\n  ${lines.join('\n  ')}\n\n`);
}

function fail(error: unknown): never {
  if (error instanceof StartError) process.stderr.write(`\nDatadeck did not start.\n${error.message}\n\n`);
  else console.error('Datadeck did not start:', error);
  process.exit(1);
}

async function run(options: Pick<StartOptions, 'createSandbox'>): Promise<void> {
  const config = parseConfig(process.env);
  // A terminal shows sentences for a person until the start is done; a file or a pipe gets every line of the log.
  const isQuiet = process.stdout.isTTY && config.LOG_LEVEL === 'info';
  const log = createLogger(isQuiet ? 'warn' : config.LOG_LEVEL);
  let stopping: Promise<void> | undefined;
  let database: Pick<EmbeddedPostgres, 'kill'> | undefined;
  const starting = startServer(config, log, {
    ...options,
    onDatabase: (embedded) => {
      database = embedded;
    },
  });
  const stop = (signal: string) => {
    if (stopping) return;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error({ signal }, 'stopping took too long');
      database?.kill();
      process.exit(1);
    }, STOP_TIMEOUT_MS).unref();
    stopping = starting
      .then((running) => running.stop())
      .catch(() => undefined)
      .then(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => stop(signal));
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  const server = await starting;
  log.level = config.LOG_LEVEL;
  if (!stopping) await announce(server);
}

/** Runs the server in this process, which ends with it. @param options what tests change */
export function runServer(options: Pick<StartOptions, 'createSandbox'> = {}): Promise<void> {
  return run(options).catch(fail);
}
