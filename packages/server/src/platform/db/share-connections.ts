import { connect as openSocket } from 'node:net';
import type pg from 'pg';
import { AppError } from '../app-error.ts';
import { currentShare, DEMO_SHARE, DEMO_SIGN_IN_SHARE } from '../share.ts';
import type { Database } from './pool.ts';

/** Connections that one share holds at most: of all demo users together, of demo sign-ins, and of every other user. */
const MAX_CONNECTIONS = { demo: 3, demoSignIn: 1, user: 4 } as const;
/** Requests of a share that wait for one of them, and how long, ms. */
const MAX_WAITING = 100;
const WAIT_MS = 10_000;
/** Longest statement of a request, ms. */
const STATEMENT_MS = 30_000;
/** How long a statement has to end after it was cancelled, ms; then its connection is closed. */
const CANCEL_MS = 5000;

/** The code of a cancel request in PostgreSQL's protocol. */
const CANCEL_REQUEST = 80_877_102;

interface ShareLimits {
  demo?: number;
  user?: number;
  statementMs?: number;
}

/**
 * A semaphore for several shares, each with a queue of its own. A free place goes to the waiting share that holds the
 * fewest places, among equals to the one that was served longest ago.
 */
class FairSemaphore {
  #free: number;
  readonly #maxOf: (share: string) => number;
  readonly #held = new Map<string, number>();
  /** The share that was served last is the last one. */
  readonly #queues = new Map<string, (() => void)[]>();

  /** @param maxOf returns how many places a share holds at most */
  constructor(slots: number, maxOf: (share: string) => number) {
    this.#free = slots;
    this.#maxOf = maxOf;
  }

  /** Waits for a place. @throws AppError rate-limited when too many of the share wait, or when it takes too long */
  async acquire(share: string): Promise<void> {
    const queue = this.#queues.get(share) ?? [];
    if (queue.length >= MAX_WAITING) throw tooManyRequests();
    const served = new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(enter), 1);
        if (queue.length === 0) this.#queues.delete(share);
        reject(tooManyRequests());
      }, WAIT_MS);
      queue.push(enter);
    });
    this.#queues.set(share, queue);
    this.#serve();
    await served;
  }

  /** Returns a place; the next waiting share takes it. */
  release(share: string): void {
    this.#free++;
    const remaining = this.#count(share) - 1;
    if (remaining > 0) this.#held.set(share, remaining);
    else this.#held.delete(share);
    this.#serve();
  }

  #serve(): void {
    const share = this.#free > 0 ? this.#nextShare() : undefined;
    if (share === undefined) return;
    const queue = this.#queues.get(share) ?? [];
    const enter = queue.shift();
    this.#queues.delete(share);
    if (queue.length > 0) this.#queues.set(share, queue);
    this.#free--;
    this.#held.set(share, this.#count(share) + 1);
    enter?.();
  }

  #nextShare(): string | undefined {
    let next: string | undefined;
    for (const share of this.#queues.keys())
      if (this.#count(share) < this.#maxOf(share))
        if (next === undefined || this.#count(share) < this.#count(next)) next = share;
    return next;
  }

  #count(share: string): number {
    return this.#held.get(share) ?? 0;
  }
}

function tooManyRequests(): AppError {
  return new AppError('rate-limited', 'Too many requests at once. Try again in a moment.', {
    retryAfter: 1,
  });
}

/**
 * Bounds what requests take of a pool: each share has a few of its connections at most and waits in a queue of its own, and
 * each statement ends at a deadline. The server's own work (no share) is not bounded, and one connection is left to it.
 *
 * The deadline is this process's own and ends the statement by a cancel request: a `statement_timeout` of the session
 * would reach other sessions behind a pooler in transaction mode.
 */
export function shareConnections({ $client: pool }: Database, limits: ShareLimits = {}): void {
  const { demo = MAX_CONNECTIONS.demo, user = MAX_CONNECTIONS.user, statementMs = STATEMENT_MS } = limits;
  const special = new Map([
    [DEMO_SHARE, demo],
    [DEMO_SIGN_IN_SHARE, MAX_CONNECTIONS.demoSignIn],
  ]);
  const semaphore = new FairSemaphore((pool.options.max ?? 2) - 1, (share) => special.get(share) ?? user);
  const connect = pool.connect.bind(pool);

  async function connectFor(share: string): Promise<pg.PoolClient> {
    await semaphore.acquire(share);
    const release = () => semaphore.release(share);
    try {
      return withStatementDeadline(await connect(), release, statementMs);
    } catch (error) {
      release();
      throw error;
    }
  }

  type Callback = (error: Error | undefined, client?: pg.PoolClient, release?: () => void) => void;
  const connectShared = (callback?: Callback): Promise<pg.PoolClient> | undefined => {
    const share = currentShare();
    const client = share === undefined ? connect() : connectFor(share);
    if (callback === undefined) return client;
    client.then(
      (given) => callback(undefined, given, given.release),
      (error) => callback(error),
    );
    return undefined;
  };
  Object.assign(pool, { connect: connectShared });
}

/** Gives a connection a deadline for each statement until it is released. */
function withStatementDeadline(client: pg.PoolClient, leave: () => void, statementMs: number): pg.PoolClient {
  const release = client.release.bind(client);
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
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
    // A stream of rows ends by itself.
    end();
    return result;
  };
  return Object.assign(client, {
    query: timed,
    release: (error?: Error | boolean) => {
      Reflect.deleteProperty(client, 'query');
      leave();
      release(error);
    },
  });
}

/** What the driver knows of an open connection. */
interface Session {
  host: string;
  port: number;
  processID: number;
  secretKey: number;
  connection: { stream: { destroy(): void; destroyed: boolean } };
}

/** Cancels the running statement of a connection; closes the connection when that does not end it. */
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
    // The same holder, and so the same statement.
    if (client.query === query) session.connection.stream.destroy();
  }, CANCEL_MS);
  close.unref();
}
