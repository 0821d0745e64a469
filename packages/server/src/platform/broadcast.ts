import pg from 'pg';
import type { Logger } from './log.ts';

/** Longest message; PostgreSQL limits the payload of a notification to 8,000 bytes. */
const MAX_BYTES = 7800;

/** Interval of the health check of the listening connection, and timeout of its response. */
const CHECK_EVERY_MS = 5000;
const CHECK_TIMEOUT_MS = 5000;
/** Delay before reconnecting. */
const RECONNECT_MS = 500;

type Listener = (payload: string) => void;

/**
 * Sends messages to all Datadeck processes by topic, with PostgreSQL's LISTEN/NOTIFY. Messages sent while the listening
 * connection is down are lost; `onMissed` listeners are called after the reconnect.
 */
export class Broadcast {
  readonly #connection: pg.PoolConfig;
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #readChannel: () => Promise<string>;
  #channel = '';
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #missedListeners = new Set<() => void>();
  #client: pg.Client | undefined;
  #closed = false;

  /** @param readChannel reads the name of the channel, a word that needs no quotes */
  constructor(
    connection: pg.PoolConfig,
    pool: pg.Pool,
    { log, readChannel }: { log: Logger; readChannel: () => Promise<string> },
  ) {
    this.#connection = connection;
    this.#pool = pool;
    this.#log = log;
    this.#readChannel = readChannel;
  }

  /** Starts listening and reconnects automatically. */
  async start(): Promise<void> {
    const client = new pg.Client({
      ...this.#connection,
      application_name: 'datadeck-broadcast',
      keepAlive: true,
      connectionTimeoutMillis: CHECK_TIMEOUT_MS,
      query_timeout: CHECK_TIMEOUT_MS,
    });
    client.on('error', (error) => this.#log.debug({ err: error }, 'broadcast connection lost'));
    client.on('notification', (message) => this.#deliver(message.payload ?? ''));
    try {
      this.#channel = await this.#readChannel();
      await client.connect();
      await client.query(`listen ${this.#channel}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    if (this.#closed) return client.end();
    // Register only now: after a failed connection attempt the caller retries, so this must not retry too.
    const stopChecking = this.#check(client);
    client.on('end', () => {
      stopChecking();
      this.#reconnect();
    });
    this.#client = client;
  }

  /** Closes a connection that no longer responds, e.g. after the server disappeared without closing it. */
  #check(client: pg.Client): () => void {
    const timer = setInterval(() => {
      client.query('select 1').catch(() => {
        clearInterval(timer);
        void client.end().catch(() => undefined);
        // end() waits for a response that may never arrive, so destroy the socket too.
        (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      });
    }, CHECK_EVERY_MS).unref();
    return () => clearInterval(timer);
  }

  #reconnect(): void {
    if (this.#closed) return;
    setTimeout(() => {
      if (this.#closed) return;
      this.start().then(
        () => this.#reportMissed(),
        () => this.#reconnect(),
      );
    }, RECONNECT_MS).unref();
  }

  #reportMissed(): void {
    for (const listener of this.#missedListeners) listener();
  }

  #deliver(message: string): void {
    const space = message.indexOf(' ');
    const listeners = this.#listeners.get(message.slice(0, space));
    for (const listener of listeners ?? []) listener(message.slice(space + 1));
  }

  /** Sends `payload` to the listeners of `topic`. @throws RangeError when it is longer than 7,800 bytes */
  async publish(topic: string, payload: string): Promise<void> {
    const message = `${topic} ${payload}`;
    if (Buffer.byteLength(message) > MAX_BYTES)
      throw new RangeError('the message is longer than 7,800 bytes');
    await this.#pool
      .query('select pg_notify($1, $2)', [this.#channel, message])
      .catch((error) => this.#log.warn({ err: error }, 'broadcast failed'));
  }

  /** Calls `listener` for each message of the topic. @returns the function to unsubscribe */
  subscribe(topic: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(topic);
    };
  }

  /** Calls `listener` whenever messages may have been missed. @returns the function to unsubscribe */
  onMissed(listener: () => void): () => void {
    this.#missedListeners.add(listener);
    return () => this.#missedListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end().catch(() => undefined);
  }
}
