import type {
  ConnectorDocument,
  DocumentEntity,
  DocumentRequest,
} from '@datadeck/contract/connector-document';
import { isRecord } from '@datadeck/contract/table-columns';
import type { Expression } from '@datadeck/jsonata';
import { type JsonObject, ProviderError } from '../sdk/index.ts';
import { ENTERED_ADDRESS } from './access.ts';
import { compileBounded, evaluate, type Input, objectSource } from './expression.ts';
import { numberedPagination, withFirstPage } from './page-numbers.ts';
import { fillPath, pathExpressions } from './path-holes.ts';
import { scalarText } from './scalar-text.ts';
import { type WireRequest, withParameter } from './wire-request.ts';

/** What a request of records adds to the one that the document describes. */
type Paging = Pick<DocumentEntity, 'pagination' | 'incremental'>;

/** Returns the text of each value that has one; empty texts are kept. */
function textsOf(values: Input): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const text = scalarText(value);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

/** Builds the requests that a part of a document describes. */
export class RequestBuilder {
  readonly #what: string;
  readonly #request: DocumentRequest;
  /** Whether the request is for the address that a person entered, as that of a feed. */
  readonly #isEntered: boolean;
  readonly #holes: readonly string[];
  readonly #paging: Paging;
  readonly #expression: Expression;

  /** @param what what is requested, for messages @throws JsonataError */
  constructor(
    what: string,
    { baseUrl }: Pick<ConnectorDocument, 'baseUrl'>,
    request: DocumentRequest,
    paging: Paging = { pagination: { kind: 'none' } },
  ) {
    this.#isEntered = baseUrl === ENTERED_ADDRESS && request.path === '/';
    this.#what = `the request of ${what}`;
    this.#request = request;
    this.#holes = pathExpressions(request.path);
    this.#paging = paging;
    const { parameter } = paging.incremental ?? {};
    this.#expression = compileBounded(
      objectSource({
        holes: objectSource(Object.fromEntries(this.#holes.map((hole, index) => [`${index}`, hole]))),
        query: objectSource(request.query),
        headers: objectSource(request.headers),
        ...(request.body !== undefined && { body: request.body }),
        ...(parameter && { since: parameter.value }),
      }),
    );
  }

  /** Returns the request of the first page. @throws ProviderError */
  first(input: Input): WireRequest {
    const values = evaluate(this.#what, this.#expression, input) as Record<string, Input | undefined>;
    const holes = this.#holes.map((_, index) => scalarText(values.holes?.[`${index}`]) ?? '');
    const { method, bodyFormat } = this.#request;
    const body = values.body === undefined ? null : requireBody(values.body, this.#what);
    const described: WireRequest = {
      path: this.#isEntered ? enteredAddress(input) : fillPath(this.#request.path, holes, this.#what),
      query: textsOf(values.query ?? {}),
      headers: textsOf(values.headers ?? {}),
      ...(method !== undefined && { method }),
      body: bodyFormat === 'form' && body !== null ? requireForm(body, this.#what) : body,
      ...(bodyFormat === 'form' && { bodyFormat }),
    };
    const numbered = numberedPagination(this.#paging.pagination);
    const request = numbered ? withFirstPage(described, numbered) : described;
    const { parameter } = this.#paging.incremental ?? {};
    const since = input.cursor === undefined ? undefined : (values.since as unknown);
    if (parameter === undefined || (typeof since !== 'string' && typeof since !== 'number')) return request;
    return withParameter(request, parameter, since);
  }
}

/** @throws ProviderError `malformed` if the body is no object */
function requireBody(body: unknown, what: string): JsonObject {
  if (isRecord(body)) return body as JsonObject;
  throw new ProviderError('malformed', `The body of ${what} is no object. Its connector must be corrected.`);
}

/** Returns the fields of a form that have a value. @throws ProviderError `malformed` for a list or an object */
function requireForm(body: JsonObject, what: string): JsonObject {
  const fields = Object.entries(body).filter(([, value]) => value !== null);
  if (fields.every(([, value]) => typeof value !== 'object')) return Object.fromEntries(fields);
  throw new ProviderError(
    'malformed',
    `The body of ${what} is a form, but has a list or an object. Its connector must be corrected.`,
  );
}

/** @throws ProviderError `invalid` without an address */
function enteredAddress({ config }: Input): string {
  const { address } = config as Readonly<Record<string, string>>;
  if (address !== undefined && address !== '') return address;
  throw new ProviderError('invalid', 'An address is missing.', { field: 'address' });
}
