import type { Connector } from '../../src/sdk/index.ts';
import type { ConformanceSubject, FaultOrder, StandIn } from '../conformance/index.ts';
import { notesConnector } from './notes-connector.ts';
import { Notebook, type NotesAnswer, type NotesRequest, serveNotes } from './notes-service.ts';

const NOTES = 61;
const METERED_UNITS = 20;
const MINUTE_MS = 3000;
const TOO_MUCH: NotesAnswer = { status: 429, body: {}, headers: { 'retry-after': '30' } };

const FAULTS: Readonly<Record<string, NotesAnswer>> = {
  'http-500': { status: 500, body: {} },
  'html-error-body': { status: 503, body: '<html>Be back soon</html>' },
  'html-instead-of-json': { status: 200, body: '<html>' },
  'connection-reset': { status: 200, body: {}, isReset: true },
  'stalled-stream': { status: 200, body: {}, isStalled: true },
  'token-expired': { status: 401, body: {} },
  'rate-limit': TOO_MUCH,
  'not-found': { status: 404, body: {} },
};

interface PendingFault {
  answer: NotesAnswer;
  times: number;
  afterRequests: number;
}

function answerFor({ name, location = '' }: FaultOrder): NotesAnswer {
  if (name === 'redirect') return { status: 302, body: '', headers: { location } };
  const answer = FAULTS[name];
  if (!answer) throw new Error(`no fault ${name}`);
  return answer;
}

/** The notes service behind a quota and injected faults. */
class FaultyService {
  notebook = new Notebook(NOTES);
  /** Prefix of the tokens that the service accepts. */
  token = 'adas-token';
  refused = 0;
  mostInFlight = 0;
  readonly #unitsPerMinute: number;
  #faults: PendingFault[] = [];
  /** Times of the requests since the last reset, ms. */
  #calls: number[] = [];
  #inFlight = 0;

  constructor(unitsPerMinute: number) {
    this.#unitsPerMinute = unitsPerMinute;
  }

  get requests(): number {
    return this.#calls.length;
  }

  reset(): void {
    this.notebook = new Notebook(NOTES);
    this.#faults = [];
    this.#calls = [];
    this.refused = 0;
    this.mostInFlight = 0;
  }

  inject(fault: FaultOrder): void {
    const { times = 1, afterRequests = 0 } = fault;
    this.#faults.push({ answer: answerFor(fault), times, afterRequests });
  }

  /** Answers a request: checks the token, then the quota, then injects a fault. */
  answer(request: NotesRequest): NotesAnswer {
    const now = Date.now();
    this.#calls.push(now);
    this.mostInFlight = Math.max(this.mostInFlight, ++this.#inFlight);
    setImmediate(() => this.#inFlight--);
    if (!request.token.startsWith(this.token)) return { status: 401, body: {} };
    if (this.#calls.filter((at) => at > now - MINUTE_MS).length > this.#unitsPerMinute) {
      this.refused++;
      return TOO_MUCH;
    }
    return this.#nextFault() ?? this.notebook.answer(request);
  }

  #nextFault(): NotesAnswer | undefined {
    for (const fault of this.#faults) {
      if (fault.times > 0 && fault.afterRequests-- <= 0) {
        fault.times--;
        return fault.answer;
      }
    }
    return undefined;
  }
}

/** Creates a stand-in for the notes service. @param unitsPerMinute its quota; its minute lasts 3 s */
export async function startNotes(
  make: (connector: Connector) => Connector = (connector) => connector,
  unitsPerMinute = Number.POSITIVE_INFINITY,
): Promise<StandIn> {
  const service = new FaultyService(unitsPerMinute);
  const server = await serveNotes((request) => service.answer(request));
  return {
    connector: make(notesConnector(server.url, unitsPerMinute)),
    credentials: { accessToken: service.token, refreshToken: 'refresh', scopes: [] },
    reset: () => service.reset(),
    close: async () => server.close(),
    listIds: async () => service.notebook.ids,
    inject: (fault) => service.inject(fault),
    expireTokens() {
      service.token += '+';
    },
    mostInFlight: () => service.mostInFlight,
    spending: () => ({ units: service.requests, refused: service.refused }),
    changes: {
      insert: () => service.notebook.add('One more'),
      update: (id) => service.notebook.change(id),
      remove: (id) => service.notebook.remove(id),
      expireCursor: () => service.notebook.forgetChanges(),
    },
    insertOddity: (name) =>
      service.notebook.add(name === 'no-title' ? null : 'NUL \u0000 and half a pair \ud800'),
  };
}

/** Creates the conformance subject of the connector or of a faulty variant. */
export function notesSubject(
  name: string,
  make?: (connector: Connector) => Connector,
): ConformanceSubject & Required<Pick<ConformanceSubject, 'startMetered'>> {
  return {
    name,
    entity: 'notes',
    settings: { notebook: 'work' },
    isIncremental: true,
    start: () => startNotes(make),
    startMetered: () => startNotes(make, METERED_UNITS),
    survives: ['http-500', 'html-error-body', 'html-instead-of-json', 'connection-reset', 'token-expired'],
    waitsFor: ['rate-limit'],
    endsIn: { 'http-500': 'unavailable', 'not-found': 'not-found' },
    oddities: ['no-title', 'half-a-pair'],
  };
}
