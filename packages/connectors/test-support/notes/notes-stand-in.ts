import type { Connector } from '../../src/sdk/index.ts';
import type { ConformanceSubject, FaultOrder, StandIn } from '../conformance/index.ts';
import { notesConnector } from './notes-connector.ts';
import { Notebook, type NotesAnswer, serveNotes } from './notes-service.ts';

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

/** Creates a stand-in for the notes service. @param unitsPerMinute its quota; its minute lasts 3 s */
export async function startNotes(
  make: (connector: Connector) => Connector = (connector) => connector,
  unitsPerMinute = Number.POSITIVE_INFINITY,
): Promise<StandIn> {
  let notebook = new Notebook(NOTES);
  let faults: PendingFault[] = [];
  let [refused, inFlight, most] = [0, 0, 0];
  let calls: number[] = [];
  let token = 'adas-token';

  const nextFault = (): NotesAnswer | undefined => {
    for (const fault of faults) {
      if (fault.times > 0 && fault.afterRequests-- <= 0) {
        fault.times--;
        return fault.answer;
      }
    }
    return undefined;
  };
  const server = await serveNotes((request) => {
    const now = Date.now();
    calls.push(now);
    most = Math.max(most, ++inFlight);
    setImmediate(() => inFlight--);
    if (!request.token.startsWith(token)) return { status: 401, body: {} };
    if (calls.filter((at) => at > now - MINUTE_MS).length > unitsPerMinute) {
      refused++;
      return TOO_MUCH;
    }
    return nextFault() ?? notebook.answer(request);
  });
  return {
    connector: make(notesConnector(server.url, unitsPerMinute)),
    credentials: { accessToken: token, refreshToken: 'refresh', scopes: [] },
    reset() {
      notebook = new Notebook(NOTES);
      faults = [];
      calls = [];
      [refused, most] = [0, 0];
    },
    close: async () => server.close(),
    listIds: async () => notebook.ids,
    inject(fault) {
      const { times = 1, afterRequests = 0 } = fault;
      faults.push({ answer: answerFor(fault), times, afterRequests });
    },
    expireTokens() {
      token += '+';
    },
    mostInFlight: () => most,
    spending: () => ({ units: calls.length, refused }),
    changes: {
      insert: () => notebook.add('One more'),
      update: (id) => notebook.change(id),
      remove: (id) => notebook.remove(id),
      expireCursor: () => notebook.forgetChanges(),
    },
    insertOddity: (name) => notebook.add(name === 'no-title' ? null : 'NUL \u0000 and half a pair \ud800'),
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
