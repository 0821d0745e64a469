import { type Credentials, lifecycleOf } from '../authorization.ts';
import { type Clock, pause } from '../clock.ts';
import type {
  Completion,
  Connector,
  ConnectorRecord,
  EntityDefinition,
  Page,
  ReadRequest,
  StoredRecord,
} from '../connector.ts';
import type { Json, JsonObject } from '../json.ts';
import { PageCheck } from '../page-check.ts';
import { ProviderClient } from '../provider-client.ts';
import { ProviderError } from '../provider-error.ts';
import { Scheduler } from '../scheduler.ts';

/** Speed of the clock: a wait of one minute takes 0.3 s. */
const SPEED = 200;
const ALL = 1_000_000;
/** More pages than any stand-in has. */
const MAX_PAGES = 1000;

/** A clock that runs faster than real time. */
function acceleratedClock(factor: number): Clock {
  const begun = Date.now();
  return {
    now: () => begun + (Date.now() - begun) * factor,
    pause: (ms, signal) => pause(ms / factor, signal),
  };
}

/** Real time, ms: longer than any response of a stand-in takes, even on a busy machine. */
export const LONG_TIMEOUT_MS = 30_000;
/** Real time, ms: short enough to test a stalled response. */
export const SHORT_TIMEOUT_MS = 200;

/** The result of one run. */
export interface Run {
  pages: Page[];
  completion: Completion;
  client: ProviderClient;
  /** Number of token refreshes. */
  refreshes: number;
}

/** What a reader reads, and with which settings. */
interface ReadSubject {
  entity: string;
  settings: Readonly<Record<string, string>>;
}

/** The connector that is read, and the account; the credentials are replaced when they are renewed. */
interface ReadConnection {
  connector: Connector;
  credentials: Credentials;
}

/** Reads an entity like the sync engine: one client per run, one scheduler per connection. */
export class Reader {
  readonly #subject: ReadSubject;
  readonly #standIn: ReadConnection;
  readonly #clock: Clock;
  readonly #scheduler: Scheduler;
  readonly entity: EntityDefinition;
  /** What this reader has stored: records by id, as its pages yield and remove them. */
  readonly #stored = new Map<string, JsonObject>();
  refreshes = 0;
  idleTimeoutMs = LONG_TIMEOUT_MS;

  constructor(subject: ReadSubject, standIn: ReadConnection, speed: number = SPEED) {
    this.#clock = acceleratedClock(speed);
    this.#subject = subject;
    this.#standIn = standIn;
    this.entity = entityOf(standIn.connector, subject.entity);
    this.#scheduler = new Scheduler(standIn.connector.quota, this.#clock);
  }

  client(signal: AbortSignal): ProviderClient {
    const standIn = this.#standIn;
    return new ProviderClient({
      connector: standIn.connector,
      scheduler: this.#scheduler,
      credentials: async (refresh) => {
        if (refresh) {
          this.refreshes++;
          standIn.credentials = await lifecycleOf(standIn.connector, standIn.credentials).refresh(
            standIn.credentials,
          );
        }
        return standIn.credentials;
      },
      signal,
      clock: this.#clock,
      idleTimeoutMs: this.idleTimeoutMs,
    });
  }

  request(more: Partial<ReadRequest> = {}): ReadRequest {
    const signal = more.signal ?? new AbortController().signal;
    return {
      client: this.client(signal),
      // A connector must not change them, since the next run uses them too.
      settings: Object.freeze({ ...this.#subject.settings }),
      checkpoint: null,
      cursor: null,
      limit: ALL,
      signal,
      stored: (columns) => this.#readStored(columns),
      ...more,
    };
  }

  async *#readStored(names: readonly string[]): AsyncGenerator<StoredRecord[]> {
    yield [...this.#stored].map(([id, columns]) => ({
      id,
      columns: Object.fromEntries(names.map((name) => [name, columns[name] ?? null])),
    }));
  }

  /** Stores only these records, as when a run ended after some of its pages. */
  restore(records: Iterable<ConnectorRecord>): void {
    this.#stored.clear();
    this.#store({ records: [...records], checkpoint: null });
  }

  /** Stores a page, through JSON as the engine returns it. */
  #store({ records, removed = [] }: Page): void {
    for (const { id, columns } of records) this.#stored.set(id, throughJson(columns as Json) as JsonObject);
    for (const id of removed) this.#stored.delete(id);
  }

  /** Yields checked pages like the sync engine. @throws Error for an endless read */
  async *read(request: ReadRequest): AsyncGenerator<Page, Completion> {
    const source = this.entity.read(request);
    const check = new PageCheck(request, this.entity.table);
    try {
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const next = await source.next();
        if (next.done) return next.value;
        const page = check.check(next.value);
        this.#store(page);
        yield page;
      }
      throw new Error('the read does not end');
    } finally {
      await source.return({ cursor: null, truncated: false });
    }
  }

  /** Reads to the end. Passes checkpoints and cursors through JSON, as the engine stores them. */
  async run(more: Partial<ReadRequest> = {}): Promise<Run> {
    const request = this.request(more);
    const pages: Page[] = [];
    const before = this.refreshes;
    const source = this.read(request);
    for (;;) {
      const next = await source.next();
      if (next.done) {
        const completion = { ...next.value, cursor: throughJson(next.value.cursor) };
        return { pages, completion, client: request.client, refreshes: this.refreshes - before };
      }
      pages.push({ ...next.value, checkpoint: throughJson(next.value.checkpoint) });
    }
  }

  /**
   * Returns the failure of a read; 'none' without one, 'unknown' for other errors than ProviderError and for messages that
   * are empty or contain a secret.
   */
  async failure(more: Partial<ReadRequest> = {}): Promise<string> {
    try {
      await this.run(more);
      return 'none';
    } catch (error) {
      if (!(error instanceof ProviderError)) return `unknown: ${String(error)}`;
      const { accessToken, refreshToken } = this.#standIn.credentials;
      const hasSecret = [accessToken, refreshToken].some(
        (secret) => secret && error.message.includes(secret),
      );
      if (hasSecret) return `${error.failure}, with a secret in its message`;
      return error.message.trim() === '' ? `${error.failure}, without a message` : error.failure;
    }
  }
}

export function idsOf(pages: readonly Page[]): string[] {
  return pages.flatMap((page) => page.records.map((record) => record.id));
}

function throughJson(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

function entityOf(connector: Connector, id: string): EntityDefinition {
  const found = connector.entities.find((entity) => entity.id === id);
  if (!found) throw new Error(`${connector.key} has no entity ${id}`);
  return found;
}
