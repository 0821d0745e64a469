import type {
  ConnectorDocument,
  DocumentColumn,
  DocumentEntity,
} from '@datadeck/contract/connector-document';
import { type Expression, JsonataError, LIMIT_CODES } from '@datadeck/jsonata';
import {
  type ColumnValue,
  type ConnectorRecord,
  type JsonObject,
  sendRecords,
  storable,
} from '../sdk/index.ts';
import { columnValue, instantOf } from './column-value.ts';
import { decode } from './decode.ts';
import type { Answer, Extracted, FailedBody, MappedPage, Variables } from './document-task.ts';
import { compileBounded, evaluateFor, failureOf, type Input, objectOf } from './expression.ts';
import { nextRequest } from './next-request.ts';
import { plainText } from './plain-text.ts';
import { RequestBuilder } from './request-builder.ts';
import type { WireRequest } from './wire-request.ts';

const MAX_KEY_LENGTH = 2000;
/** Longest start of a failed answer that is compared with the document's rules, UTF-16 units. */
const MAX_FAILED_LENGTH = 65_536;

/** Returns the expression that yields a list with an object for each entry of `rows`. */
function forEachRow(fields: Readonly<Record<string, string>>): string {
  return `[rows.${objectOf(fields)}]`;
}

/** Returns the input of the expressions of a request. */
export function inputOf({ parent, ...variables }: Variables): Input {
  return { ...variables, ...(parent !== undefined && { parent: JSON.parse(parent) }) };
}

/** Returns the start of an answer that the document calls a failure; undefined for a success. @throws ProviderError */
export function failedBodyOf(failed: Expression | undefined, input: Input): FailedBody | undefined {
  if (failed === undefined) return undefined;
  const value = evaluateFor('failed answers', failed, input);
  if (value === undefined || value === null || value === false) return undefined;
  return { failedBody: JSON.stringify(value).slice(0, MAX_FAILED_LENGTH) };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Evaluates the expressions of one entity of a document. Runs in the document's thread. */
export class EntityMapper {
  readonly #entity: DocumentEntity;
  readonly #title: string;
  readonly #secretParameter: string | undefined;
  readonly #requests: RequestBuilder;
  readonly #records: Expression;
  readonly #next: Expression | undefined;
  readonly #total: Expression | undefined;
  readonly #failed: Expression | undefined;
  /** The added fields of all rows. */
  readonly #added: Expression | undefined;
  readonly #keys: Expression;
  /** Date and columns of all rows. */
  readonly #values: Expression;
  /** Date and columns one by one, for a page in which one of them fails. */
  readonly #single: Readonly<Record<string, Expression>>;
  /** The columns, and the keys of their values. */
  readonly #columns: readonly { name: string; type: DocumentColumn['type']; key: string }[];

  /** @throws JsonataError for an expression that is not well formed */
  constructor(document: ConnectorDocument, entity: DocumentEntity) {
    const { title, authentication, failed } = document;
    this.#entity = entity;
    this.#title = `${title}’s ${entity.title.toLowerCase()}`;
    this.#secretParameter =
      authentication.kind === 'api-key' && authentication.in === 'query' ? authentication.name : undefined;
    this.#requests = new RequestBuilder(this.#title, document, entity.request, entity);
    this.#records = compileBounded(entity.records);
    this.#next = 'next' in entity.pagination ? compileBounded(entity.pagination.next) : undefined;
    this.#total = entity.total === undefined ? undefined : compileBounded(entity.total);
    this.#failed = failed === undefined ? undefined : compileBounded(failed);
    this.#added = Object.keys(entity.add).length === 0 ? undefined : compileBounded(forEachRow(entity.add));
    this.#keys = compileBounded(forEachRow({ key: entity.key }));
    const columns = Object.entries(entity.columns).map(([name, column]) => ({
      name,
      key: `c_${name}`,
      ...column,
    }));
    this.#columns = columns;
    const values: Record<string, string> = {
      date: entity.date,
      ...Object.fromEntries(columns.map(({ key, value }) => [key, value])),
    };
    this.#values = compileBounded(forEachRow(values));
    this.#single = Object.fromEntries(
      Object.entries(values).map(([name, expression]) => [name, compileBounded(expression)]),
    );
  }

  /** Returns the request of the first page. @throws ProviderError */
  firstRequest(variables: Variables): WireRequest {
    return this.#requests.first(inputOf(variables));
  }

  /** Reads the records of an answer. @throws ProviderError; SyntaxError for an answer of another format */
  page(answer: Answer, request: WireRequest, variables: Variables): MappedPage | FailedBody {
    const response = decode(this.#entity.request.decode, answer.bytes);
    const input = { ...inputOf(variables), response, headers: answer.headers };
    const failedBody = failedBodyOf(this.#failed, input);
    if (failedBody) return failedBody;
    const found = evaluateFor(`the records of ${this.#title}`, this.#records, input);
    const entries = found === undefined || found === null ? [] : Array.isArray(found) ? found : [found];
    const { pagination } = this.#entity;
    const next = this.#next && evaluateFor(`the next page of ${this.#title}`, this.#next, input);
    const total = this.#total && evaluateFor(`the total of ${this.#title}`, this.#total, input);
    const records = this.#recordsOf(entries.filter(isObject), input);
    return {
      records: sendRecords(records),
      next: nextRequest(request, pagination, {
        count: entries.length,
        next,
        link: answer.headers.link ?? null,
        secretParameter: this.#secretParameter,
      }),
      total: typeof total === 'number' && Number.isInteger(total) && total >= 0 ? total : null,
      skipped: entries.length - records.length,
    };
  }

  /** Extracts date and columns of stored documents. */
  extract(documents: readonly JsonObject[]): Extracted[] {
    const rows = documents.map((record) => ({ record }));
    return this.#valuesOf(rows).map((values) => this.#extracted(values));
  }

  /** Adds the document's fields to the entries, and returns those with a key as records. */
  #recordsOf(entries: readonly JsonObject[], input: Input): ConnectorRecord[] {
    const rows = entries.map((record) => ({ ...input, record }));
    const added = this.#added && this.#evaluateRows('the added fields', this.#added, rows);
    const keys = this.#evaluateRows('the key', this.#keys, rows);
    const documents = entries.flatMap((entry, index) => {
      const key = storable(plainText(keys[index]?.key) ?? '');
      if (key === '' || key.length > MAX_KEY_LENGTH) return [];
      // A document's field `id` is the record's id.
      const id = Object.hasOwn(entry, 'id') ? { id: key } : {};
      return [{ key, data: { ...entry, ...(added?.[index] as JsonObject | undefined), ...id } }];
    });
    const extracted = this.extract(documents.map(({ data }) => data));
    return documents.map(({ key, data }, index) => ({
      id: key,
      data,
      ...(extracted[index] ?? this.#extracted({})),
    }));
  }

  #evaluateRows(what: string, expression: Expression, rows: readonly Input[]): Input[] {
    return evaluateFor(`${what} of ${this.#title}`, expression, { rows }) as Input[];
  }

  /** Evaluates date and columns of all rows at once; one by one where one fails, which is then missing. */
  #valuesOf(rows: readonly Input[]): Input[] {
    try {
      return this.#values.evaluate({ rows }) as Input[];
    } catch (error) {
      if (!(error instanceof JsonataError)) throw error;
      // One by one, such expressions would take their whole time for each row.
      if (error.code === LIMIT_CODES.timeMs || error.code === LIMIT_CODES.steps)
        throw failureOf(`the columns of ${this.#title}`, error);
    }
    return rows.map((row) => {
      const values = Object.entries(this.#single).map(([name, expression]) => {
        try {
          return [name, expression.evaluate(row)];
        } catch (error) {
          if (!(error instanceof JsonataError)) throw error;
          return [name, undefined];
        }
      });
      return Object.fromEntries(values) as Input;
    });
  }

  #extracted(values: Input): Extracted {
    const columns: Record<string, ColumnValue> = {};
    for (const { name, type, key } of this.#columns) columns[name] = columnValue(type, values[key]);
    return { occurredAt: instantOf(values.date) ?? new Date(0), columns };
  }
}
