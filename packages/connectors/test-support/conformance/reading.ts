import { type Clock, pause } from '../../src/sdk/clock.ts';
import type { Completion, Connector, EntityDefinition, Page, ReadRequest } from '../../src/sdk/connector.ts';
import type { Json } from '../../src/sdk/json.ts';
import { PageCheck } from '../../src/sdk/page-check.ts';
import { ProviderClient } from '../../src/sdk/provider-client.ts';
import { ProviderError } from '../../src/sdk/provider-error.ts';
import { Scheduler } from '../../src/sdk/scheduler.ts';
import type { ConformanceSubject, StandIn } from './stand-in.ts';

/** Waits of a minute last 0.3 s here. */
const SPEED = 200;
const ALL = 1_000_000;
/** More than any stand-in has. */
const MAX_PAGES = 1000;

/** A clock that runs faster than time. */
function acceleratedClock(factor: number): Clock {
  const begun = Date.now();
  return {
    now: () => begun + (Date.now() - begun) * factor,
    pause: (ms, signal) => pause(ms / factor, signal),
  };
}

/** Real time: on a busy machine too no stand-in is silent for so long. */
export const LONG_TIMEOUT_MS = 30_000;
/** Real time: short enough to try one that is. */
export const SHORT_TIMEOUT_MS = 200;

/** What one run of a read brought. */
export interface Run {
  pages: Page[];
  completion: Completion;
  client: ProviderClient;
  /** How often the access token was renewed. */
  refreshes: number;
}

/** Reads an entity as the engine does: one client a run, one scheduler a connection. */
export class Reader {
  readonly #subject: Pick<ConformanceSubject, 'entity' | 'settings'>;
  readonly #standIn: Pick<StandIn, 'connector' | 'credentials'>;
  readonly #clock: Clock;
  readonly #scheduler: Scheduler;
  readonly entity: EntityDefinition;
  refreshes = 0;
  idleTimeoutMs = LONG_TIMEOUT_MS;

  constructor(
    subject: Pick<ConformanceSubject, 'entity' | 'settings'>,
    standIn: Pick<StandIn, 'connector' | 'credentials'>,
    speed: number = SPEED,
  ) {
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
          standIn.credentials = await standIn.connector.authorization.refresh(standIn.credentials);
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
      // A connector that changed them would change what the next run reads.
      settings: Object.freeze({ ...this.#subject.settings }),
      checkpoint: null,
      cursor: null,
      limit: ALL,
      signal,
      ...more,
    };
  }

  /** Reads page by page, each looked at as the engine does. @throws Error for a read that does not end */
  async *read(request: ReadRequest): AsyncGenerator<Page, Completion> {
    const source = this.entity.read(request);
    const check = new PageCheck(request, this.entity.table);
    try {
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const next = await source.next();
        if (next.done) return next.value;
        yield check.check(next.value);
      }
      throw new Error('the read does not end');
    } finally {
      await source.return({ cursor: null, truncated: false });
    }
  }

  /** Reads to the end. Checkpoints and cursors go through JSON, as the engine stores them. */
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
   * The failure that a read ends in; 'none' when it does not fail, 'unknown' for what is no ProviderError. A message that
   * is none, or tells a secret, is no failure of the closed list either.
   */
  async failure(more: Partial<ReadRequest> = {}): Promise<string> {
    try {
      await this.run(more);
      return 'none';
    } catch (error) {
      if (!(error instanceof ProviderError)) return `unknown: ${String(error)}`;
      const { accessToken, refreshToken } = this.#standIn.credentials;
      const tells = [accessToken, refreshToken].some((secret) => secret && error.message.includes(secret));
      if (tells) return `${error.failure}, with a secret in its message`;
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
