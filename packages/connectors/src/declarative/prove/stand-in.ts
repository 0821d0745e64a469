import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ConnectorDocument, DocumentEntity } from '@datadeck/contract/connector-document';
import { type FaultAnswer, PendingFaults, sendFault } from '../../sdk/conformance/faults.ts';
import { startSmallServer } from '../../sdk/conformance/small-server.ts';
import type { JsonObject } from '../../sdk/index.ts';
import type { FormValues } from '../form-values.ts';
import { filledText, keysBeside } from '../form-values.ts';
import type { WireRequest } from '../wire-request.ts';
import { PAGE_PARAMETER, type StandInList } from './stand-in-list.ts';

/** The account of a proof. Its secrets are made up for one proof. */
export interface ProofAccount extends FormValues {
  secret: string;
}

/** Path below which the API is. */
const API_PATH = '/api';
/** Largest body of a request, characters. */
const MAX_BODY = 1_000_000;

/** A request as the stand-in sees it: its path, and what it sends by names with dots. */
interface SeenRequest {
  path: string;
  url: URL;
  values: ReadonlyMap<string, string>;
}

function flatten(value: unknown, into: Map<string, string>, prefix = ''): void {
  if (typeof value !== 'object' || value === null) {
    into.set(prefix, String(value));
    return;
  }
  for (const [name, inner] of Object.entries(value))
    flatten(inner, into, prefix === '' ? name : `${prefix}.${name}`);
}

function bodyOf({ headers }: IncomingMessage, body: string): JsonObject | null {
  if (body === '') return null;
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  return isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);
}

/** What a request sends in addition to its address. */
interface SentParts {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: JsonObject | null;
}

/** @param headerNames headers that have numbers of pages or cursors */
function seen(url: URL, { headers, body }: SentParts, headerNames: readonly string[]): SeenRequest {
  const values = new Map(url.searchParams);
  if (body !== null) flatten(body, values);
  for (const name of headerNames) if (headers[name] !== undefined) values.set(name, String(headers[name]));
  return { path: url.pathname, url, values };
}

/** Returns how alike two requests are: equal values count for, different ones against it. */
function likeness(one: SeenRequest, other: SeenRequest, without: readonly (string | undefined)[]): number {
  let points = 0;
  for (const name of new Set([...one.values.keys(), ...other.values.keys()]))
    if (!without.includes(name)) points += one.values.get(name) === other.values.get(name) ? 1 : -1;
  return points;
}

/** A list of the stand-in with the request that asks for its first page. */
interface Route {
  entity: DocumentEntity;
  list: StandInList;
  first: SeenRequest;
}

/** An HTTP server on the loopback address that serves the lists of one proof. */
export class ProofServer {
  readonly #document: ConnectorDocument;
  readonly #account: ProofAccount;
  readonly #routes: Route[] = [];
  readonly faults = new PendingFaults();
  /** Requests since the last reset, those without the secret, and the last one. */
  requests = 0;
  withoutSecret = 0;
  #server: Awaited<ReturnType<typeof startSmallServer>> | undefined;
  /** Answers all requests in the place of lists. */
  answer: FaultAnswer | undefined;
  /** Time of the service, ms since 1970. */
  now = 0;
  /** Called before each answer with records is sent; what it throws fails the request. */
  onPage: (() => Promise<void>) | undefined;

  constructor(document: ConnectorDocument, account: ProofAccount) {
    this.#document = document;
    this.#account = account;
  }

  async start(): Promise<void> {
    this.#server = await startSmallServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) =>
        sendFault(response, { status: 400, body: JSON.stringify({ error: String(error) }) }),
      );
    });
  }

  close(): void {
    this.#server?.close();
  }

  /** Base address of the API. */
  get url(): string {
    return `${this.#server?.url ?? ''}${API_PATH}`;
  }

  /** Adds a list. @returns false if another one has the same request */
  add(entity: DocumentEntity, request: WireRequest, list: StandInList): boolean {
    const first = seen(this.#urlOf(request), request, this.#headerNames);
    const isTaken = this.#routes.some(
      (route) =>
        route.first.path === first.path &&
        likeness(route.first, first, []) === Math.max(route.first.values.size, first.values.size),
    );
    this.#routes.push({ entity, list, first });
    return !isTaken;
  }

  reset(): void {
    this.faults.clear();
    this.requests = 0;
    this.withoutSecret = 0;
    this.onPage = undefined;
    this.answer = undefined;
  }

  get #headerNames(): string[] {
    return this.#document.entities.flatMap(({ pagination }) =>
      'in' in pagination && pagination.in === 'header' ? [pagination.parameter] : [],
    );
  }

  #urlOf({ path, query }: WireRequest): URL {
    const url = new URL(/^https?:/.test(path) ? path : `${this.url}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests++;
    const body = (await text(request)).slice(0, MAX_BODY);
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    response.setHeader('date', new Date(this.now).toUTCString());
    const hasSecret = this.#hasSecret(request, url);
    if (!hasSecret) this.withoutSecret++;
    const fault: FaultAnswer | undefined = hasSecret
      ? (this.faults.next() ?? this.answer)
      : { status: 401, body: '{"error":"unauthorized"}' };
    if (fault) return sendFault(response, fault);
    const sent = { headers: request.headers, body: bodyOf(request, body) };
    const asked = seen(url, sent, this.#headerNames);
    const route = this.#routeOf(asked);
    if (!route) return sendFault(response, { status: 404, body: '{"error":"there is no such list"}' });
    const page = await route.list.page(asked.values, url);
    if (page === undefined) return sendFault(response, { status: 400, body: '{"error":"unknown page"}' });
    await this.onPage?.();
    response.writeHead(200, page.headers).end(page.body);
  }

  #routeOf(asked: SeenRequest): Route | undefined {
    let best: { route: Route; points: number } | undefined;
    for (const route of this.#routes) {
      if (route.first.path !== asked.path) continue;
      const { pagination, incremental } = route.entity;
      const own = 'parameter' in pagination ? pagination.parameter : PAGE_PARAMETER;
      const points = likeness(route.first, asked, [own, incremental?.parameter?.name, PAGE_PARAMETER]);
      if (!best || points > best.points) best = { route, points };
    }
    return best?.route;
  }

  #hasSecret({ headers }: IncomingMessage, { searchParams }: URL): boolean {
    const { authentication } = this.#document;
    const { secret, fields, secrets } = this.#account;
    const entered = { ...fields, ...secrets };
    switch (authentication.kind) {
      case 'none':
        return true;
      // A token is renewed by requests that the proof does not send.
      case 'bearer':
      case 'client-credentials':
      case 'refresh-token':
      case 'oauth-code':
        return headers.authorization === `Bearer ${secret}`;
      case 'session-token':
        return headers[authentication.name.toLowerCase()] === authentication.prefix + secret;
      case 'basic': {
        const { user, userText = `{${user}}`, password = '' } = authentication;
        const name = filledText(userText, (field) => entered[field] ?? '') ?? '';
        for (const { in: place, name: key } of keysBeside(authentication))
          if (place === 'query') searchParams.delete(key);
        const pair = user === undefined ? `${secret}:${password}` : `${name}:${secret}`;
        return headers.authorization === `Basic ${Buffer.from(pair).toString('base64')}`;
      }
      case 'api-key': {
        const { others = [], value: written, ...key } = authentication;
        const own = this.#document.connect.secret?.name ?? 'secret';
        const valueFor = (name: string) => (name === own ? secret : (entered[name] ?? ''));
        const keys = [
          {
            ...key,
            ...(written === undefined
              ? { value: secret }
              : { prefix: '', value: filledText(written, valueFor) }),
          },
          ...others.map(({ field, ...key }) => ({ ...key, value: entered[field] })),
        ];
        const isSent = keys.every(
          ({ in: place, name, prefix, value }) =>
            (place === 'query' ? searchParams.get(name) : headers[name.toLowerCase()]) ===
            `${prefix}${value}`,
        );
        for (const { in: place, name } of keys) if (place === 'query') searchParams.delete(name);
        return isSent;
      }
    }
  }
}
