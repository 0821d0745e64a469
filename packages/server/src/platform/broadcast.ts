import pg from 'pg';
import type { Logger } from './log.ts';

const CHANNEL = 'datadeck_broadcast';
/** PostgreSQL's limit of a notification is 8,000 bytes. */
const MAX_BYTES = 7800;

type Listener = (payload: string) => void;

/** Messages to all processes of the product, by topic, over PostgreSQL's LISTEN/NOTIFY. Best effort: a lost one is not repeated. */
export class Broadcast {
  readonly #connection: pg.PoolConfig;
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #listeners = new Map<string, Set<Listener>>();
  #client: pg.Client | undefined;
  #closed = false;

  constructor(connection: pg.PoolConfig, pool: pg.Pool, log: Logger) {
    this.#connection = connection;
    this.#pool = pool;
    this.#log = log;
  }

  /** Starts listening; reconnects by itself. */
  async start(): Promise<void> {
    const client = new pg.Client({
      ...this.#connection,
      application_name: 'datadeck-broadcast',
      keepAlive: true,
    });
    client.on('error', (error) => this.#log.debug({ err: error }, 'broadcast connection lost'));
    client.on('notification', (message) => this.#deliver(message.payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    if (this.#closed) return client.end();
    // Not before: the end of a connection that never was is no reason for a second attempt beside the caller's.
    client.on('end', () => this.#reconnect());
    this.#client = client;
  }

  #reconnect(): void {
    if (this.#closed) return;
    setTimeout(() => {
      if (!this.#closed) this.start().catch(() => this.#reconnect());
    }, 1000).unref();
  }

  #deliver(message: string): void {
    const space = message.indexOf(' ');
    const listeners = this.#listeners.get(message.slice(0, space));
    for (const listener of listeners ?? []) listener(message.slice(space + 1));
  }

  /** Sends `payload` to the listeners of `topic`. @throws RangeError when it is longer than 7,800 bytes */
  async publish(topic: string, payload: string): Promise<void> {
    const message = `${topic} ${payload}`;
    if (Buffer.byteLength(message) > MAX_BYTES) throw new RangeError('the message is too long to be sent');
    await this.#pool
      .query('select pg_notify($1, $2)', [CHANNEL, message])
      .catch((error) => this.#log.warn({ err: error }, 'broadcast failed'));
  }

  /** @returns the way to stop listening */
  subscribe(topic: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(topic);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end().catch(() => undefined);
  }
}
