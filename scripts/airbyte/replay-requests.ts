/**
 * `npx node scripts/airbyte/replay-requests.ts MANIFESTS CASES [NAME …]`: imports manifests of Airbyte and reads their streams from a
 * stand-in, which answers as recorded, in a first and an incremental run. Prints which requests differ from the recorded ones, and exits
 * with 1 if some do. A case is JSON: manifest, now, config, streams, and runs with exchanges of request and response.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { importManifest } from '../../packages/connectors/src/declarative/airbyte/import-manifest.ts';
import { fieldAt } from '../../packages/connectors/src/declarative/field-at.ts';
import { declarativeConnector } from '../../packages/connectors/src/declarative/index.ts';
import { Reader } from '../../packages/connectors/src/sdk/conformance/reading.ts';

interface CaseRequest {
  method: string;
  url: string;
  query: [string, string][];
  headers: Record<string, string>;
  body: unknown;
}
interface Exchange {
  /** Null for requests of tokens, which the product sends when an account is connected. */
  stream: string | null;
  request: CaseRequest;
  response: { status: number; headers: Record<string, string>; body: unknown };
}
interface Case {
  manifest: string;
  now: string;
  config: Record<string, unknown>;
  streams: string[];
  runs: { kind: string; now?: string; exchanges: Exchange[]; records: Record<string, unknown[]> }[];
}

const [manifests = '', cases = '', ...names] = process.argv.slice(2);
const RealDate = Date;
/** Headers that every client sets for itself. */
const OWN =
  /^(?:host|connection|accept|accept-encoding|accept-language|user-agent|content-length|sec-fetch-mode|content-type)$/;

/** Sets the date of this process; only what measures time sees it pass. */
function setClock(now: string): void {
  const begun = performance.now();
  const instant = RealDate.parse(now);
  class SetDate extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [instant] : given) as [number]));
    }
    static override now(): number {
      return Math.floor(instant + performance.now() - begun);
    }
    static override [Symbol.hasInstance](value: unknown): boolean {
      return Object.prototype.toString.call(value) === '[object Date]';
    }
  }
  globalThis.Date = SetDate as DateConstructor;
}

/** Returns the text of a value of a configuration, as a person enters it in a form. */
function entered(config: Record<string, unknown>, path: readonly string[]): string | undefined {
  let value: unknown = config;
  for (const name of path) value = (value as Record<string, unknown> | undefined)?.[name];
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.join(',') : String(value);
}

const sorted = (pairs: readonly (readonly [string, string])[]) =>
  [...pairs].map((pair) => JSON.stringify(pair)).sort();

function isEqual(one: CaseRequest, other: CaseRequest): boolean {
  return (
    one.method === other.method &&
    one.url === other.url &&
    isDeepStrictEqual(sorted(one.query), sorted(other.query)) &&
    isDeepStrictEqual(one.body ?? null, other.body ?? null) &&
    isDeepStrictEqual(
      Object.entries(one.headers)
        .filter(([name]) => !OWN.test(name))
        .sort(),
      Object.entries(other.headers)
        .filter(([name]) => !OWN.test(name))
        .sort(),
    )
  );
}

function shown({ method, url, query, headers, body }: CaseRequest): string {
  const own = Object.entries(headers).filter(([name]) => !OWN.test(name));
  return `${method} ${url}?${query.map(([name, value]) => `${name}=${value}`).join('&')} ${JSON.stringify(own)} ${body === null ? '' : JSON.stringify(body)}`;
}

async function seenRequest(request: IncomingMessage, origin: string): Promise<CaseRequest> {
  const url = new URL(request.url ?? '/', origin);
  const body = await textOf(request);
  const type = request.headers['content-type'] ?? '';
  const parsed =
    body === ''
      ? null
      : type.includes('json')
        ? JSON.parse(body)
        : Object.fromEntries(new URLSearchParams(body));
  return {
    method: request.method ?? '',
    url: origin + url.pathname,
    query: [...url.searchParams],
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: parsed,
  };
}

/** The differences of one run. */
interface Outcome {
  unexpected: CaseRequest[];
  missing: CaseRequest[];
  isInOrder: boolean;
  note: string;
}

async function replay(given: Case): Promise<Outcome[] | string> {
  const text = readFileSync(`${manifests}/${given.manifest}`, 'utf8');
  const options = { key: 'case', title: 'Case', streams: given.streams };
  const { addresses } = importManifest(text, options);
  const values = Object.fromEntries(
    addresses.map(({ path }) => [path, entered(given.config, path.split('.')) ?? '']),
  );
  const { document, streams, form } = importManifest(text, { ...options, values });
  const entities = given.streams.map((name) => streams.find((stream) => stream.name === name));
  const left = entities.find((one) => one?.entity === undefined);
  if (!document || left !== undefined || entities.includes(undefined))
    return `left out: ${left?.name ?? ''}: ${left?.reason ?? 'no document'}`;
  let expected: (Exchange & { isSeen: boolean })[] = [];
  let outcome: Outcome = { unexpected: [], missing: [], isInOrder: true, note: '' };
  let last = -1;
  const originOf = (url: string) => new URL(url).origin;
  const origin = originOf(given.runs[0]?.exchanges.at(-1)?.request.url ?? 'http://none');
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await seenRequest(request, origin);
    const unseen = expected.findIndex((one) => !one.isSeen && isEqual(one.request, seen));
    // The CDK requests the parents of several streams once.
    const index = unseen >= 0 ? unseen : expected.findIndex((one) => isEqual(one.request, seen));
    const found = expected[index];
    response.setHeader('date', new Date().toUTCString());
    if (!found) {
      outcome.unexpected.push(seen);
      response.writeHead(404).end();
      return;
    }
    found.isSeen = true;
    if (unseen >= 0 && index < last) outcome.isInOrder = false;
    if (unseen >= 0) last = index;
    const { status, headers, body } = found.response;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const local = (value: string) => value.replaceAll(origin, url);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, local(String(value)));
    const isLines =
      Array.isArray(body) && document?.entities.some(({ request: { decode } }) => decode === 'ndjson');
    const lines = isLines ? body.map((line) => JSON.stringify(line)) : [JSON.stringify(body)];
    response.writeHead(status).end(typeof body === 'string' ? body : local(lines.join('\n')));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  setClock(given.now);
  const connector = declarativeConnector(document, { baseUrl, unitsPerMinute: Number.POSITIVE_INFINITY });
  const declared = new Map(document.connect.fields.map((field) => [field.name, field]));
  const formValues = Object.fromEntries(
    form.map(({ name, path }) => [
      name,
      entered(given.config, path) ?? declared.get(name)?.defaultValue ?? '',
    ]),
  );
  const { secret: enteredSecret = '', ...others } = formValues;
  const isHidden = ([name]: [string, string]) => declared.get(name)?.hidden === true;
  const fields = Object.fromEntries(Object.entries(others).filter((one) => !isHidden(one)));
  const secrets = Object.fromEntries(Object.entries(others).filter(isHidden));
  const { authentication } = document;
  const token = given.runs[0]?.exchanges.find(({ stream }) => stream === null)?.response.body;
  const exchanged = fieldAt(token, 'token' in authentication ? authentication.token : 'access_token');
  const secret = typeof exchanged === 'string' ? exchanged : enteredSecret;
  const outcomes: Outcome[] = [];
  const readers = entities.map(
    (one) =>
      new Reader(
        { entity: one?.entity ?? '', settings: {} },
        {
          connector,
          credentials: { accessToken: secret, refreshToken: enteredSecret, fields, secrets, scopes: [] },
        },
      ),
  );
  const cursors: unknown[] = readers.map(() => null);
  for (const { exchanges, now = given.now } of given.runs) {
    setClock(now);
    expected = exchanges
      .filter(({ stream }) => stream !== null)
      .map((exchange) => ({ ...exchange, isSeen: false }));
    outcome = { unexpected: [], missing: [], isInOrder: true, note: '' };
    last = -1;
    for (const [index, reader] of readers.entries())
      try {
        const run = await reader.run({ cursor: cursors[index] as never });
        cursors[index] = run.completion.cursor;
      } catch (error) {
        outcome.note += ` ${String(error).slice(0, 160)}`;
      }
    // What was asked for again after the same answer counts once.
    outcome.missing = expected
      .filter(
        (one, index) =>
          !one.isSeen &&
          !expected.some((other, at) => at < index && other.isSeen && isEqual(one.request, other.request)),
      )
      .map(({ request }) => request);
    outcomes.push(outcome);
  }
  server.closeAllConnections();
  server.close();
  return outcomes;
}

let equal = 0;
let tried = 0;
const files = readdirSync(cases).filter(
  (file) => file.endsWith('.json') && (names.length === 0 || names.includes(file.slice(0, -5))),
);
for (const file of files.sort()) {
  const given: Case = JSON.parse(readFileSync(`${cases}/${file}`, 'utf8'));
  const outcomes = await replay(given);
  if (typeof outcomes === 'string') {
    console.log(`${file.padEnd(24)} ${outcomes}`);
    continue;
  }
  tried++;
  const isEqualCase = outcomes.every(({ unexpected, missing }) => unexpected.length + missing.length === 0);
  if (isEqualCase) equal++;
  const order = outcomes.every(({ isInOrder }) => isInOrder) ? '' : ', in another order';
  console.log(
    `${file.padEnd(24)} ${isEqualCase ? `equal${order}` : 'DIFFERENT'} (${given.runs.map(({ exchanges }) => exchanges.length).join(' and ')} requests)`,
  );
  for (const [index, { unexpected, missing, note }] of outcomes.entries()) {
    if (note !== '') console.log(`    ${given.runs[index]?.kind}:${note}`);
    for (const request of unexpected.slice(0, 3))
      console.log(`    ${given.runs[index]?.kind} sent     ${shown(request)}`);
    for (const request of missing.slice(0, 3))
      console.log(`    ${given.runs[index]?.kind} not sent ${shown(request)}`);
  }
}
console.log(`${equal} of ${tried} imported cases equal, of ${files.length} cases`);
process.exit(equal === tried && tried > 0 ? 0 : 1);
