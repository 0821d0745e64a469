import { connect as openSocket } from 'node:net';
import type pg from 'pg';
import { AppError } from '../app-error.ts';
import { currentShare, DEMO_SHARE } from '../share.ts';
import type { Database } from './pool.ts';

/** Connections that one share holds at most: of all demo users together, and of every other user. */
const MOST_CONNECTIONS = { demo: 3, user: 4 } as const;
/** Requests of a share that wait for one of them, and how long, ms. */
const MOST_WAITING = 100;
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

/** Hands out a number of places, in the order of asking. */
class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits for a place. @throws AppError rate-limited when it takes too long */
  async enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    if (this.#waiting.length >= MOST_WAITING) throw busy();
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(busy());
      }, WAIT_MS);
      this.#waiting.push(enter);
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}

function busy(): AppError {
  return new AppError('rate-limited', 'Too many requests are reading data. Try again in a moment.', {
    retryAfter: 1,
  });
}

/**
 * Bounds what requests take of a pool: each share has a few of its connections at most, so that there are always some for
 * others, and each statement ends at a deadline. The server's own work (no share) is not bounded.
 *
 * The deadline is this process's own and ends the statement by a cancel request: a `statement_timeout` of the session
 * would reach other sessions behind a pooler in transaction mode.
 */
export function shareConnections({ $client: pool }: Database, limits: ShareLimits = {}): void {
  const { demo = MOST_CONNECTIONS.demo, user = MOST_CONNECTIONS.user, statementMs = STATEMENT_MS } = limits;
  const shares = new Map<string, { places: Places; users: number }>();
  const connect = pool.connect.bind(pool);

  async function connectFor(name: string): Promise<pg.PoolClient> {
    const share = shares.get(name) ?? { places: new Places(name === DEMO_SHARE ? demo : user), users: 0 };
    shares.set(name, share);
    share.users++;
    const forget = () => {
      if (--share.users === 0) shares.delete(name);
    };
    try {
      await share.places.enter();
    } catch (error) {
      forget();
      throw error;
    }
    const leave = () => {
      share.places.leave();
      forget();
    };
    try {
      return bounded(await connect(), leave, statementMs);
    } catch (error) {
      leave();
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
function bounded(client: pg.PoolClient, leave: () => void, statementMs: number): pg.PoolClient {
  const release = client.release.bind(client);
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const timed = (...args: unknown[]): unknown => {
    const timer = setTimeout(() => stopStatement(client), statementMs);
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
function stopStatement(client: pg.PoolClient): void {
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
