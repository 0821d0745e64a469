import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { StartError } from '../start-error.ts';

/** Address at which SQL roles may connect, in addition to the Unix socket of the database. */
export interface ListenAddress {
  host: string;
  port: number;
}

/** What the thread of the listener needs. */
export interface SqlListenerTask extends ListenAddress {
  /** Path of the database's Unix socket. */
  socket: string;
  /** The only database that it leads to. */
  database: string;
  /** The product's own user, a superuser, which it refuses. */
  refusedUser: string;
}

/**
 * Listens for SQL roles and passes their connections on to the database's socket, in a thread of its own. Its maximum keeps
 * connections that stay silent from taking the database's slots.
 * @returns a function that ends it with all its connections
 * @throws StartError if the address cannot be used
 */
export async function listenForSql(task: SqlListenerTask): Promise<() => Promise<void>> {
  const worker = new Worker(new URL('./sql-listener-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  });
  const [failure] = (await once(worker, 'message')) as [string | undefined];
  if (failure !== undefined) {
    await worker.terminate();
    throw new StartError(
      `SQL_LISTEN=${task.host}:${task.port} cannot be used (${failure}). Choose another address or port.`,
    );
  }
  worker.unref();
  return async () => {
    await worker.terminate();
  };
}
