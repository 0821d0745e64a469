import type {
  ConnectorDocument,
  DocumentColumn,
  DocumentEntity,
} from '@datadeck/contract/connector-document';
import { isRecord } from '@datadeck/contract/table-columns';
import type { Expression } from '@datadeck/jsonata';
import {
  type ColumnValue,
  type ConnectorRecord,
  isInteger,
  type JsonObject,
  ProviderError,
  sendRecords,
  storable,
} from '../sdk/index.ts';
import { columnValue, instantOf } from './column-value.ts';
import { decode } from './decode.ts';
import type { Answer, Extracted, FailedBody, MappedPage, Variables } from './document-task.ts';
import { compileBounded, evaluate, type Input } from './expression.ts';
import { nextRequest } from './next-request.ts';
import { RequestBuilder } from './request-builder.ts';
import { RowExpressions } from './row-expressions.ts';
import { scalarText } from './scalar-text.ts';
import type { WireRequest } from './wire-request.ts';

const MAX_KEY_LENGTH = 2000;
/** Longest part of an entity as JSON, UTF-16 units. */
const MAX_PART_LENGTH = 2000;
/** Longest start of a failed answer that is compared with the document's rules, UTF-16 units. */
const MAX_FAILED_LENGTH = 65_536;

/** Returns the input of the expressions of a request. */
export function inputOf({ parent, part, ...variables }: Variables): Input {
  return {
    ...variables,
    ...(parent !== undefined && { parent: JSON.parse(parent) }),
    ...(part !== undefined && { part: JSON.parse(part) }),
  };
}

/** Returns the start of the JSON that `failed` yields; undefined for a success. @throws ProviderError */
export function failedBodyOf(failed: Expression | undefined, input: Input): FailedBody | undefined {
  if (failed === undefined) return undefined;
  const value = evaluate('failed answers', failed, input);
  if (!value || (Array.isArray(value) && value.length === 0)) return undefined;
  return { failedBody: JSON.stringify(value).slice(0, MAX_FAILED_LENGTH) };
}

/** Evaluates the expressions of one entity of a document. Runs in the document's thread. */
export class EntityMapper {
  readonly #entity: DocumentEntity;
  readonly #title: string;
  readonly #requests: RequestBuilder;
  readonly #parts: Expression | undefined;
  readonly #records: Expression;
  readonly #next: Expression | undefined;
  readonly #count: Expression | undefined;
  readonly #total: Expression | undefined;
  readonly #failed: Expression | undefined;
  readonly #added: RowExpressions | undefined;
  readonly #keys: RowExpressions;
  /** Date and columns. */
  readonly #values: RowExpressions;
  /** The columns, and the keys of their values. */
  readonly #columns: readonly { name: string; type: DocumentColumn['type']; key: string }[];

  /** @throws JsonataError for an expression that is not well formed */
  constructor(document: ConnectorDocument, entity: DocumentEntity) {
    const { title, failed } = document;
    this.#entity = entity;
    this.#title = `${title}’s ${entity.title.toLowerCase()}`;
    this.#requests = new RequestBuilder(this.#title, document, entity.request, entity);
    this.#parts = entity.parts === undefined ? undefined : compileBounded(entity.parts);
    this.#records = compileBounded(entity.records);
    this.#next = 'next' in entity.pagination ? compileBounded(entity.pagination.next) : undefined;
    const count = 'count' in entity.pagination ? entity.pagination.count : undefined;
    this.#count = count === undefined ? undefined : compileBounded(count);
    this.#total = entity.total === undefined ? undefined : compileBounded(entity.total);
    this.#failed = failed === undefined ? undefined : compileBounded(failed);
    const hasAdded = Object.keys(entity.add).length > 0;
    this.#added = hasAdded ? new RowExpressions(`the added fields of ${this.#title}`, entity.add) : undefined;
    this.#keys = new RowExpressions(`the key of ${this.#title}`, { key: entity.key });
    const columns = Object.entries(entity.columns).map(([name, column]) => ({
      name,
      key: `c_${name}`,
      ...column,
    }));
    this.#columns = columns;
    this.#values = new RowExpressions(`the columns of ${this.#title}`, {
      date: entity.date,
      ...Object.fromEntries(columns.map(({ key, value }) => [key, value])),
    });
  }

  /** Returns the values for each of which the records are requested, as JSON texts. @throws ProviderError */
  parts(variables: Variables): string[] {
    if (this.#parts === undefined) return [];
    const found = evaluate(`the parts of ${this.#title}`, this.#parts, inputOf(variables));
    if (found === undefined || found === null)
      throw new ProviderError('invalid', `The parts of ${this.#title} need a value. Check what was entered.`);
    const parts = Array.isArray(found) ? found : [found];
    return parts.map((part) => {
      const text = JSON.stringify(part);
      if (text !== undefined && text.length <= MAX_PART_LENGTH) return text;
      throw new ProviderError('malformed', `A part of ${this.#title} is too long, or no value.`);
    });
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
    const found = evaluate(`the records of ${this.#title}`, this.#records, input);
    const entries = found === undefined || found === null ? [] : Array.isArray(found) ? found : [found];
    const { pagination } = this.#entity;
    const next = this.#next && evaluate(`the next page of ${this.#title}`, this.#next, input);
    const total = this.#total && evaluate(`the total of ${this.#title}`, this.#total, input);
    const counted = this.#count && evaluate(`the records of a page of ${this.#title}`, this.#count, input);
    const records = this.#recordsOf(entries.filter(isRecord) as JsonObject[], input);
    return {
      records: sendRecords(records),
      next: nextRequest(request, pagination, {
        count: isInteger(counted) && counted >= 0 ? counted : entries.length,
        next,
        link: answer.headers.link ?? null,
      }),
      total: isInteger(total) && total >= 0 ? total : null,
      skipped: entries.length - records.length,
    };
  }

  /** Extracts date and columns of stored documents. */
  extract(documents: readonly JsonObject[]): Extracted[] {
    const rows = documents.map((record) => ({ record }));
    return this.#values.evaluate(rows).map((values) => this.#extracted(values));
  }

  /** Adds the document's fields to the entries, and returns those with a key as records. */
  #recordsOf(entries: readonly JsonObject[], input: Input): ConnectorRecord[] {
    const added = this.#added?.evaluate(entries.map((record) => ({ ...input, record })));
    const whole = entries.map((entry, index) => ({
      ...entry,
      ...(added?.[index] as JsonObject | undefined),
    }));
    const keys = this.#keys.evaluate(whole.map((record) => ({ ...input, record })));
    const documents = whole.flatMap((data: JsonObject, index) => {
      const key = storable(scalarText(keys[index]?.key) ?? '');
      if (key === '' || key.length > MAX_KEY_LENGTH) return [];
      // A document's field `id` is the record's id.
      return [{ key, data: Object.hasOwn(data, 'id') ? { ...data, id: key } : data }];
    });
    const extracted = this.extract(documents.map(({ data }) => data));
    return documents.map(({ key, data }, index) => ({
      id: key,
      data,
      ...(extracted[index] ?? this.#extracted({})),
    }));
  }

  #extracted(values: Input): Extracted {
    const columns: Record<string, ColumnValue> = {};
    for (const { name, type, key } of this.#columns) columns[name] = columnValue(type, values[key]);
    return { occurredAt: instantOf(values.date) ?? new Date(0), columns };
  }
}
