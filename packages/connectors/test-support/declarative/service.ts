import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type FaultAnswer, PendingFaults, sendFault } from '../../src/sdk/conformance/faults.ts';
import { startSmallServer } from '../../src/sdk/conformance/small-server.ts';
import type { Connector, Credentials } from '../../src/sdk/index.ts';
import type { StandIn } from '../conformance/index.ts';
import { answerFor, TOO_MANY } from './faults.ts';
import { writeList } from './formats.ts';
import { type Group, type Item, Items } from './items.ts';
import { changedItems, type ListPage, type Parameters, pageOf, rankItems } from './listing.ts';
import { ACCOUNT, API_PATH, KEY, type ServiceShape } from './shape.ts';
import { isTokenKind, TokenIssuer } from './token-issuer.ts';

type Row = Group | Item;

const PROJECT = 'work';
/** Real length of the quota's minute, ms; the clock of the suite's budget test is 20 times as fast. */
const MINUTE_MS = 3000;

function flatten(value: unknown, into: Map<string, string>): void {
  for (const [name, inner] of Object.entries(value ?? {})) {
    if (typeof inner === 'object') flatten(inner, into);
    else into.set(name, String(inner));
  }
}

/** A service of a shape, in memory. It is written from the shape alone, so that it shares no mistake with the interpreter. */
class Service {
  readonly #shape: ServiceShape;
  readonly #unitsPerMinute: number;
  readonly faults = new PendingFaults();
  readonly tokens = new TokenIssuer();
  items = new Items();
  refused = 0;
  mostInFlight = 0;
  #inFlight = 0;
  /** Times of the requests since the last reset, ms. */
  #calls: number[] = [];

  constructor(shape: ServiceShape, unitsPerMinute: number) {
    this.#shape = shape;
    this.#unitsPerMinute = unitsPerMinute;
  }

  get requests(): number {
    return this.#calls.length;
  }

  reset(): void {
    this.items = new Items();
    this.faults.clear();
    this.#calls = [];
    this.refused = 0;
    this.mostInFlight = 0;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    const isOfApi = !/^\/oauth\/|\/session$/.test(url.pathname);
    if (isOfApi) this.#count(response);
    const body = await text(request);
    if (!isOfApi) return this.#sendToken(response, this.tokens.answer(url.pathname, body));
    response.setHeader('date', new Date(this.items.now).toUTCString());
    const parameters = new Map(url.searchParams);
    flatten(body === '' ? {} : JSON.parse(body), parameters);
    const refusal = this.#refusalOf(request, url) ?? this.faults.next();
    const page = refusal ? undefined : this.#listAt(url.pathname, parameters);
    if (page) this.#sendList(response, url, page);
    else sendFault(response, refusal ?? { status: 404, body: '{"error":"there is no such list"}' });
  }

  /** Returns the refusal of a request that lacks the secret, exceeds the quota, or has another method. */
  #refusalOf(request: IncomingMessage, url: URL): FaultAnswer | undefined {
    if (!this.#isAuthorized(request, url)) return { status: 401 };
    if (this.#calls.filter((at) => at > Date.now() - MINUTE_MS).length > this.#unitsPerMinute) {
      this.refused++;
      return TOO_MANY;
    }
    const isPosted = this.#shape.pagination === 'cursor-in-body';
    return (request.method === 'POST') === isPosted ? undefined : { status: 405 };
  }

  #count(response: ServerResponse): void {
    this.#calls.push(Date.now());
    this.mostInFlight = Math.max(this.mostInFlight, ++this.#inFlight);
    response.once('close', () => this.#inFlight--);
  }

  #isAuthorized({ headers }: IncomingMessage, { searchParams }: URL): boolean {
    const { user, secret } = ACCOUNT;
    switch (this.#shape.authentication) {
      case 'none':
        return headers.authorization === undefined;
      case 'bearer':
        return headers.authorization === `Bearer ${secret}`;
      case 'basic':
        return headers.authorization === `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
      case 'key-in-header':
        return headers[KEY.header] === `${KEY.prefix}${secret}`;
      case 'key-in-query':
        return searchParams.getAll(KEY.parameter).join() === secret;
      case 'client-credentials':
      case 'refresh-token':
      case 'oauth-code':
        return this.tokens.isValid(/^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1]);
      case 'session-token':
        return this.tokens.isValid(/^S (.*)$/.exec(String(headers['x-session']))?.[1]);
    }
  }

  #sendToken(response: ServerResponse, answer: object | null | undefined): void {
    const body = JSON.stringify(answer ?? { error: 'invalid_grant' });
    response.writeHead(answer ? 200 : 400, { 'content-type': 'application/json' }).end(body);
  }

  #sendList(response: ServerResponse, url: URL, { rows, next, total }: ListPage<Row>): void {
    const { format, isCounted, pagination } = this.#shape;
    let address: string | undefined;
    if (next) {
      const target = new URL(url);
      target.searchParams.set(next.name, next.value);
      // Half of the services name the next page relative to their host.
      address = isCounted ? target.pathname + target.search : target.href;
    }
    if (pagination === 'link' && address !== undefined)
      response.setHeader('link', `<${url.origin}/other>; rel="prev", <${address}>; rel="next"`);
    const named = pagination === 'address' ? address : next?.value;
    const isNamed = pagination === 'address' || pagination.startsWith('cursor');
    const sent = writeList(format, {
      rows,
      total: isCounted ? total : undefined,
      next: isNamed ? named : undefined,
    });
    response.writeHead(200, sent.headers).end(sent.body);
  }

  #listAt(path: string, parameters: Parameters): ListPage<Row> | undefined {
    const { parents, pagination, order } = this.#shape;
    const { items } = this;
    const [kind, id, list] = path
      .slice(API_PATH.length + 1)
      .split('/')
      .map(decodeURIComponent);
    const ofProject = kind === 'projects' && id === PROJECT;
    const groups = (found: readonly Group[]) =>
      pageOf(
        found.map((row, index) => ({ row, rank: -index, number: 0 })),
        pagination,
        parameters,
      );
    const itemsOf = (board?: number) =>
      pageOf(
        rankItems(
          changedItems(items.all, parameters).filter((item) => board === undefined || item.board === board),
          order,
        ),
        pagination,
        parameters,
      );
    const { boards, workspaces } = items;
    if (ofProject && list === 'items' && parents === 'none') return itemsOf();
    if (ofProject && list === 'boards' && parents === 'one') return groups(boards);
    if (ofProject && list === 'workspaces' && parents === 'two') return groups(workspaces);
    if (kind === 'workspaces' && list === 'boards') {
      const index = workspaces.findIndex((workspace) => workspace.id === id);
      return index < 0 ? undefined : groups(index === 0 ? boards.slice(0, 2) : boards.slice(2));
    }
    const board = boards.findIndex((one) => one.id === id);
    return kind === 'boards' && list === 'items' && board >= 0 ? itemsOf(board) : undefined;
  }
}

/** Returns what a connection has stored of what its person entered. */
function enteredCredentials({ authentication }: ServiceShape): Credentials {
  const { user, secret } = ACCOUNT;
  return {
    accessToken: authentication === 'none' ? '' : secret,
    fields: { site: 'acme', ...(authentication === 'basic' && { user }) },
    scopes: [],
    method: 'form',
  };
}

/**
 * Starts a stand-in for a service of this shape.
 * @param connect creates the connector of the service at this base address
 * @param unitsPerMinute its quota; its minute lasts 3 s
 */
export async function startService(
  shape: ServiceShape,
  connect: (baseUrl: string) => Connector,
  unitsPerMinute = Number.POSITIVE_INFINITY,
): Promise<StandIn> {
  const service = new Service(shape, unitsPerMinute);
  const server = await startSmallServer((request, response) => {
    service.answer(request, response).catch((error: unknown) => {
      sendFault(response, { status: 400, body: JSON.stringify({ error: String(error) }) });
    });
  });
  const { authentication } = shape;
  const isIssued = isTokenKind(authentication);
  return {
    connector: connect(`${server.url}${API_PATH}`),
    credentials: isIssued ? service.tokens.credentials(authentication) : enteredCredentials(shape),
    ...(isIssued && { expireTokens: () => service.tokens.expire() }),
    reset: () => service.reset(),
    close: async () => server.close(),
    listIds: async () => service.items.idsIn(shape),
    inject: (fault) => service.faults.add(answerFor(fault), fault),
    mostInFlight: () => service.mostInFlight,
    spending: () => ({ units: service.requests, refused: service.refused }),
    changes: {
      insert: () => service.items.add(),
      update: (id) => service.items.change(id),
    },
    insertOddity: (name) => service.items.addOddity(name),
  };
}
