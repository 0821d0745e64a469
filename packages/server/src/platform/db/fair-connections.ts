import { connect as openSocket } from 'node:net';
import type pg from 'pg';
import { AppError } from '../app-error.ts';
import { currentFairQueue, DEMO_QUEUE, DEMO_SIGN_IN_QUEUE } from '../fair-queue.ts';
import type { Database } from './database.ts';

/** Largest number of connections per fair queue: all demo users together, demo sign-ins, and every other user. */
const MAX_CONNECTIONS = { demo: 3, demoSignIn: 1, user: 4 } as const;
/** Largest number of waiting requests per fair queue, and longest wait. */
const MAX_WAITING = 100;
const WAIT_MS = 10_000;
/** Statement timeout of requests. */
const STATEMENT_MS = 30_000;
/** Time after which the connection of a cancelled statement is closed, if the statement is still running. */
const CANCEL_MS = 5000;

/** The code of a cancel request in PostgreSQL's protocol. */
const CANCEL_REQUEST = 80_877_102;

interface FairLimits {
  demo?: number;
  user?: number;
  statementMs?: number;
}

/**
 * A semaphore with a line of waiting requests per fair queue. A free slot goes to the waiting fair queue with the fewest slots; among equals, to the
 * one that was served least recently.
 */
class FairSemaphore {
  #free: number;
  readonly #maxOf: (fairQueue: string) => number;
  readonly #held = new Map<string, number>();
  /** Queues in order of service: the fair queue served last is at the end. */
  readonly #queues = new Map<string, (() => void)[]>();

  /** @param maxOf returns the largest number of slots of a fair queue */
  constructor(slots: number, maxOf: (fairQueue: string) => number) {
    this.#free = slots;
    this.#maxOf = maxOf;
  }

  /** Waits for a slot. @throws AppError `rate-limited` when the fair queue has too many waiting requests, or after `WAIT_MS` */
  async acquire(fairQueue: string): Promise<void> {
    const queue = this.#queues.get(fairQueue) ?? [];
    if (queue.length >= MAX_WAITING) throw tooManyRequests();
    const served = new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(enter), 1);
        if (queue.length === 0) this.#queues.delete(fairQueue);
        reject(tooManyRequests());
      }, WAIT_MS);
      queue.push(enter);
    });
    this.#queues.set(fairQueue, queue);
    this.#serve();
    await served;
  }

  /** Number of waiting requests of all fair queues. */
  get waitingCount(): number {
    let count = 0;
    for (const queue of this.#queues.values()) count += queue.length;
    return count;
  }

  /** Releases a slot; the next waiting fair queue gets it. */
  release(fairQueue: string): void {
    this.#free++;
    const remaining = this.#count(fairQueue) - 1;
    if (remaining > 0) this.#held.set(fairQueue, remaining);
    else this.#held.delete(fairQueue);
    this.#serve();
  }

  #serve(): void {
    const fairQueue = this.#free > 0 ? this.#nextFairQueue() : undefined;
    if (fairQueue === undefined) return;
    const queue = this.#queues.get(fairQueue) ?? [];
    const enter = queue.shift();
    this.#queues.delete(fairQueue);
    if (queue.length > 0) this.#queues.set(fairQueue, queue);
    this.#free--;
    this.#held.set(fairQueue, this.#count(fairQueue) + 1);
    enter?.();
  }

  #nextFairQueue(): string | undefined {
    let next: string | undefined;
    for (const fairQueue of this.#queues.keys())
      if (this.#count(fairQueue) < this.#maxOf(fairQueue))
        if (next === undefined || this.#count(fairQueue) < this.#count(next)) next = fairQueue;
    return next;
  }

  #count(fairQueue: string): number {
    return this.#held.get(fairQueue) ?? 0;
  }
}

function tooManyRequests(): AppError {
  return new AppError('rate-limited', 'Too many requests at once. Try again in a moment.', {
    retryAfter: 1,
  });
}

/**
 * Limits the requests' use of a pool: each fair queue has a maximum of connections and its own queue, and each statement has a
 * deadline. The server's own work (no fair queue) is not limited; one connection is reserved for it.
 *
 * The deadline is enforced here with a cancel request, because a session's `statement_timeout` would affect other sessions
 * behind a pooler in transaction mode.
 * @returns a function that returns the number of requests that wait for a connection of their fair queue
 */
export function fairConnections({ $client: pool }: Database, limits: FairLimits = {}): () => number {
  const { demo = MAX_CONNECTIONS.demo, user = MAX_CONNECTIONS.user, statementMs = STATEMENT_MS } = limits;
  const special = new Map([
    [DEMO_QUEUE, demo],
    [DEMO_SIGN_IN_QUEUE, MAX_CONNECTIONS.demoSignIn],
  ]);
  const semaphore = new FairSemaphore(
    (pool.options.max ?? 2) - 1,
    (fairQueue) => special.get(fairQueue) ?? user,
  );
  const connect = pool.connect.bind(pool);

  async function connectFor(fairQueue: string): Promise<pg.PoolClient> {
    await semaphore.acquire(fairQueue);
    const release = () => semaphore.release(fairQueue);
    try {
      return withStatementDeadline(await connect(), release, statementMs);
    } catch (error) {
      release();
      throw error;
    }
  }

  type Callback = (error: Error | undefined, client?: pg.PoolClient, release?: () => void) => void;
  const connectShared = (callback?: Callback): Promise<pg.PoolClient> | undefined => {
    const fairQueue = currentFairQueue();
    const client = fairQueue === undefined ? connect() : connectFor(fairQueue);
    if (callback === undefined) return client;
    client.then(
      (given) => callback(undefined, given, given.release),
      (error) => callback(error),
    );
    return undefined;
  };
  Object.assign(pool, { connect: connectShared });
  return () => semaphore.waitingCount;
}

/** Adds a deadline to each statement of a connection until it is released. */
function withStatementDeadline(client: pg.PoolClient, leave: () => void, statementMs: number): pg.PoolClient {
  const release = client.release.bind(client);
  const untimed = client.query;
  const query = untimed.bind(client) as (...args: unknown[]) => unknown;
  const timed = (...args: unknown[]): unknown => {
    const timer = setTimeout(() => cancelStatement(client), statementMs);
    const end = () => clearTimeout(timer);
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      return query(...args.slice(0, -1), (...outcome: unknown[]) => {
        end();
        callback(...outcome);
      });
    }
    const result = query(...args);
    if (result instanceof Promise) return result.finally(end);
    // Row streams have their own limits.
    end();
    return result;
  };
  return Object.assign(client, {
    query: timed,
    release: (error?: Error | boolean) => {
      client.query = untimed;
      leave();
      release(error);
    },
  });
}

/** Internal fields of the driver's open connection. */
interface Session {
  host: string;
  port: number;
  processID: number;
  secretKey: number;
  connection: { stream: { destroy(): void; destroyed: boolean } };
}

/** Cancels the running statement; closes the connection if the statement is still running after `CANCEL_MS`. */
function cancelStatement(client: pg.PoolClient): void {
  const session = client as unknown as Session;
  const { host, port, processID, secretKey } = session;
  const socket = host.startsWith('/') ? openSocket(`${host}/.s.PGSQL.${port}`) : openSocket(port, host);
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  socket.on('error', () => undefined);
  socket.setTimeout(CANCEL_MS, () => socket.destroy());
  socket.end(request);
  const { query } = client;
  const close = setTimeout(() => {
    // Still the same holder, so the same statement is running.
    if (client.query === query) session.connection.stream.destroy();
  }, CANCEL_MS);
  close.unref();
}
