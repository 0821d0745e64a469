import type { PushedDown } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context.ts';
import { beginRead, limitStatements } from '../../platform/db/bounded-read.ts';
import { isStatementTimeout } from '../../platform/db/failures.ts';
import { type DataSet, type EvaluatedPage, RowBatch } from '../../platform/evaluation/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import {
  countRecords,
  DocumentReader,
  holdsParts,
  overRecords,
  type RecordSource,
  recordsVersion,
  type StoredDocument,
} from '../records/index.ts';
import type { TemplateDefinition } from './definition.ts';
import { findTemplate, sourceOf } from './page.ts';
import { type PushDown, pushDown } from './push-down/index.ts';

const READ_CHUNK = 500;

/** What is read of a template: whole documents as they are stored, or rows that the database makes. */
type Reading = { documents: SQL } | { rows: SQL };

/** Reads by a cursor in one snapshot, so that memory stays flat and pages of it fit together. */
async function* readRows(
  context: Context,
  source: RecordSource,
  { reading, ms }: { reading: Reading; ms: number },
): AsyncGenerator<Buffer> {
  const end = performance.now() + ms;
  const select =
    'documents' in reading
      ? reading.documents
      : sql`select row::text as stored, null::text[] as parts from (${reading.rows}) t`;
  const client = await context.db.$client.connect();
  const execute = async <Row extends pg.QueryResultRow>(statement: SQL): Promise<Row[]> => {
    const query = new PgDialect().sqlToQuery(statement);
    return (await client.query<Row>(query.sql, query.params)).rows;
  };
  try {
    await client.query(beginRead(ms));
    await execute(sql`declare template_rows no scroll cursor for ${overRecords(source, select)}`);
    const batch = new RowBatch();
    const reader = new DocumentReader(execute, source);
    // Every statement has what is left of the time: together they take no longer than it.
    const fetch = async (): Promise<StoredDocument[]> => {
      const left = end - performance.now();
      if (left <= 0) throw tooSlow();
      const statements = `${limitStatements(left)}; fetch ${READ_CHUNK} from template_rows`;
      const results = (await client.query(statements)) as unknown as pg.QueryResult<StoredDocument>[];
      return results.at(-1)?.rows ?? [];
    };
    for (let ahead = fetch(); ; ) {
      const rows = await ahead;
      if (rows.length === 0) break;
      const read = reader.read(rows);
      // The database reads on while these rows are handed over.
      ahead = fetch();
      ahead.catch(() => undefined);
      const { parts, documents } = await read;
      for (const part of parts) batch.addPart(part);
      for (const { texts, parts } of documents) {
        const piece = batch.add(texts, parts);
        if (piece !== undefined) yield piece;
      }
    }
    yield batch.take();
  } catch (error) {
    throw isStatementTimeout(error) ? tooSlow() : error;
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

function tooSlow(): AppError {
  return new AppError(
    'query-too-complex',
    'The query might be too complex: the database took too long to read its rows. Narrow it down.',
  );
}

/** Rows for an evaluation. */
export interface TemplateRows {
  set: DataSet;
  /** What the database does of the expression, and how many records there are of which it leaves some out. */
  pushedDown?: { text: string; total: number };
}

export interface RowsRequest {
  userId: string;
  entity: string;
  templateKey: string;
  /** The expression that will run over the rows, with the variables it sees: the database does a part of it. */
  expression: string;
  bindings?: Record<string, unknown>;
}

/** The rows of a template that an expression needs. */
export async function templateRows(
  context: Context,
  registry: ConnectorRegistry,
  request: RowsRequest,
): Promise<TemplateRows> {
  const template = findTemplate(request.entity, request.templateKey);
  const source = await sourceOf(context, registry, request);
  if (!source) return { set: emptySet(template) };
  const version = await recordsVersion(context.db, source);
  const plan =
    template.documentsBy &&
    pushDown(request.expression, request.bindings ?? {}, {
      entity: request.entity,
      order: template.documentsBy,
      isShared: await holdsParts(context.db, source),
    });
  const family = `${source.userId}/${source.connectionId}/${template.key}${plan ? `?${plan.name}` : ''}`;
  // Ages depend on the day, so the day is part of the key.
  const day = new Date().toISOString().slice(0, 10);
  const set = {
    key: `${family}@${version}/${day}`,
    family,
    isSelection: plan !== undefined,
    read: (ms: number) => readRows(context, source, { reading: readingOf(template, plan), ms }),
  };
  if (plan === undefined) return { set };
  return { set, pushedDown: { text: plan.text, total: await totals.of(context, source, version) } };
}

function readingOf({ rows, documentsBy }: TemplateDefinition, plan: PushDown | undefined): Reading {
  if (plan) return { documents: plan.rows };
  return documentsBy ? { documents: sql`select stored, parts from r order by ${documentsBy}` } : { rows };
}

function emptySet(template: TemplateDefinition): DataSet {
  return {
    key: `none/${template.key}`,
    family: `none/${template.key}`,
    async *read() {
      yield new RowBatch().take();
    },
  };
}

/** How many records there are, by version: counting a hundred thousand takes longer than most queries. */
class Totals {
  readonly #known = new Map<string, number>();

  async of(context: Context, source: RecordSource, version: number): Promise<number> {
    const key = `${source.userId}/${source.connectionId}/${source.entity}@${version}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const counted = await countRecords(context.db, source);
    if (this.#known.size >= MOST_TOTALS) this.#known.delete(this.#known.keys().next().value ?? '');
    this.#known.set(key, counted);
    return counted;
  }
}

const MOST_TOTALS = 1000;
const totals = new Totals();

/** An evaluated page with what the answer says of the database's part. */
export function withPushDown(page: EvaluatedPage, { pushedDown }: TemplateRows): PushedDownPage {
  if (pushedDown === undefined) return page;
  return { ...page, rows: pushedDown.total, pushedDown: { text: pushedDown.text, rows: page.rows } };
}

export type PushedDownPage = EvaluatedPage & { pushedDown?: PushedDown };
