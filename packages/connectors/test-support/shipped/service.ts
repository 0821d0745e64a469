import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Credentials } from '../../src/sdk/authorization.ts';
import { startSmallServer } from '../../src/sdk/conformance/small-server.ts';
import type { Connector } from '../../src/sdk/connector.ts';
import type { ConformanceSubject, FaultOrder, ScopeControl, StandIn } from '../conformance/index.ts';

/** A parsed request to an emulated service. */
export interface ServiceRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  /** The parsed JSON body; undefined without one. */
  body: unknown;
}

/** An answer of an emulated service; a text is sent as it is, anything else as JSON. */
export interface ServiceAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** The records of an emulated service, and how it answers requests with a valid secret. */
export interface EmulatedService {
  answer(request: ServiceRequest): ServiceAnswer;
  /** Returns the ids of the scope's records in the order of a full run. */
  listIds(): string[];
  changes?: ScopeControl;
  insertOddity?(name: string): string;
}

/** How a service behaves apart from its records. */
export interface ServiceTraits {
  /** Creates the service with the records of the start. */
  create(): EmulatedService;
  /** Returns whether the request has the valid secret. */
  isAuthorized(request: ServiceRequest): boolean;
  unauthorized: ServiceAnswer;
  tooMany(): ServiceAnswer;
  notFound: ServiceAnswer;
  /** Faults that only this service has. */
  faults?: Readonly<Record<string, ServiceAnswer>>;
  /** Creates the connector. @param url address of the emulated service */
  connect(url: string, unitsPerMinute: number): Connector;
  /** Returns the values of the connect form. @param url address of the emulated service */
  form(url: string): Readonly<Record<string, string>>;
}

/** The minute of the suite's accelerated clock, ms. */
const MINUTE_MS = 3000;
const METERED_UNITS = 20;
const HTML = '<!doctype html><html><body><h1>Be right back</h1></body></html>';

type Failure = ServiceAnswer | 'reset' | 'reset-mid-body' | 'stalled' | 'truncated';

const FAULTS: Readonly<Record<string, Failure>> = {
  'http-500': { status: 500, body: { message: '500 Internal Server Error' } },
  'http-502': { status: 502, body: HTML, headers: { 'content-type': 'text/html' } },
  'http-503': { status: 503, body: '' },
  'http-504': { status: 504, body: HTML, headers: { 'content-type': 'text/html' } },
  'html-error-body': { status: 503, body: HTML, headers: { 'content-type': 'text/html' } },
  'html-instead-of-json': { status: 200, body: HTML, headers: { 'content-type': 'text/html' } },
  'empty-body': { status: 200, body: '' },
  'connection-reset': 'reset',
  'reset-mid-body': 'reset-mid-body',
  'stalled-stream': 'stalled',
  'truncated-json': 'truncated',
};

/** Faults after which a read of any service continues. */
export const SURVIVED = Object.keys(FAULTS);
/** Permanent faults of any service, and the failures that they end in. */
export const ENDS_IN = {
  'http-500': 'unavailable',
  'html-error-body': 'unavailable',
  'html-instead-of-json': 'unavailable',
  'connection-reset': 'unavailable',
  'stalled-stream': 'unavailable',
  'not-found': 'not-found',
  'rate-limit': 'rate-limited',
};

interface PendingFault {
  failure: Failure;
  times: number;
  afterRequests: number;
}

/** An emulated service behind its secret, a quota and injected faults. */
class GuardedService {
  service: EmulatedService;
  refused = 0;
  mostInFlight = 0;
  /** Times of the requests since the last reset, ms. */
  #calls: number[] = [];
  #faults: PendingFault[] = [];
  #inFlight = 0;
  readonly #traits: ServiceTraits;
  readonly #unitsPerMinute: number;

  constructor(traits: ServiceTraits, unitsPerMinute: number) {
    this.#traits = traits;
    this.#unitsPerMinute = unitsPerMinute;
    this.service = traits.create();
  }

  get units(): number {
    return this.#calls.length;
  }

  reset(): void {
    this.service = this.#traits.create();
    this.refused = 0;
    this.mostInFlight = 0;
    this.#calls = [];
    this.#faults = [];
  }

  inject({ name, times = 1, afterRequests = 0, location = '' }: FaultOrder): void {
    const own: Readonly<Record<string, Failure>> = {
      'token-expired': this.#traits.unauthorized,
      'rate-limit': this.#traits.tooMany(),
      'not-found': this.#traits.notFound,
      redirect: { status: 302, body: '', headers: { location } },
      ...this.#traits.faults,
    };
    const failure = own[name] ?? FAULTS[name];
    if (!failure) throw new Error(`no fault ${name}`);
    this.#faults.push({ failure, times, afterRequests });
  }

  /** Answers a request: checks the secret, then the quota, then injects a fault. */
  answer(request: ServiceRequest): Failure {
    const now = Date.now();
    this.#calls.push(now);
    if (!this.#traits.isAuthorized(request)) return this.#traits.unauthorized;
    if (this.#calls.filter((at) => at > now - MINUTE_MS).length > this.#unitsPerMinute) {
      this.refused++;
      return this.#traits.tooMany();
    }
    return this.#nextFault() ?? this.service.answer(request);
  }

  #nextFault(): Failure | undefined {
    for (const fault of this.#faults) {
      if (fault.times > 0 && fault.afterRequests-- <= 0) {
        fault.times--;
        return fault.failure;
      }
    }
    return undefined;
  }

  /** Counts a request as concurrent until its response is closed. */
  countInFlight(response: ServerResponse): void {
    this.mostInFlight = Math.max(this.mostInFlight, ++this.#inFlight);
    response.once('close', () => this.#inFlight--);
  }
}

async function parse(request: IncomingMessage): Promise<ServiceRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service');
  const text = Buffer.concat(chunks).toString();
  return {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

function send(response: ServerResponse, failure: Failure, whole: () => ServiceAnswer): unknown {
  if (failure === 'reset') return response.socket?.destroy();
  const { status, body, headers } = typeof failure === 'string' ? whole() : failure;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (typeof failure !== 'string') return response.end(text);
  const half = text.slice(0, text.length / 2);
  if (failure === 'truncated') return response.end(half);
  response.write(half);
  if (failure === 'reset-mid-body') setImmediate(() => response.socket?.destroy());
  return undefined;
}

async function startService(traits: ServiceTraits, unitsPerMinute: number): Promise<StandIn> {
  const guarded = new GuardedService(traits, unitsPerMinute);
  const server = await startSmallServer((request, response) => {
    guarded.countInFlight(response);
    void parse(request).then((parsed) =>
      send(response, guarded.answer(parsed), () => guarded.service.answer(parsed)),
    );
  });
  const connector = traits.connect(server.url, unitsPerMinute);
  const grant = await connector.formAuthorization?.connect(traits.form(server.url));
  if (!grant) throw new Error(`${connector.key} has no connect form`);
  const credentials: Credentials = grant.credentials;
  guarded.reset();
  const control = (): ScopeControl => {
    const { changes } = guarded.service;
    if (!changes) throw new Error('the records never change');
    return changes;
  };
  const { changes, insertOddity } = guarded.service;
  return {
    connector,
    credentials,
    reset: () => guarded.reset(),
    close: async () => server.close(),
    listIds: async () => guarded.service.listIds(),
    inject: (fault) => guarded.inject(fault),
    mostInFlight: () => guarded.mostInFlight,
    spending: () => ({ units: guarded.units, refused: guarded.refused }),
    ...(changes && {
      changes: {
        insert: () => control().insert(),
        ...(changes.update && { update: (id) => control().update?.(id) }),
      },
    }),
    ...(insertOddity && { insertOddity: (name) => guarded.service.insertOddity?.(name) ?? '' }),
  };
}

/** What the subject of an entity adds to what all emulated services have. */
type OwnSubject = Pick<ConformanceSubject, 'entity' | 'settings' | 'isIncremental' | 'oddities'> &
  Partial<Pick<ConformanceSubject, 'survives' | 'waitsFor' | 'endsIn' | 'exempt' | 'sinceTimeOf'>>;

/** Returns the conformance subject of an entity of an emulated service. */
export function serviceSubject(traits: ServiceTraits, own: OwnSubject): ConformanceSubject {
  return {
    ...own,
    name: own.entity,
    start: () => startService(traits, Number.POSITIVE_INFINITY),
    startMetered: () => startService(traits, METERED_UNITS),
    survives: [...SURVIVED, ...(own.survives ?? [])],
    waitsFor: ['rate-limit', ...(own.waitsFor ?? [])],
    endsIn: { ...ENDS_IN, ...own.endsIn },
    exempt: {
      'token-renewal': 'a person has to enter another token',
      ...own.exempt,
    },
  };
}
