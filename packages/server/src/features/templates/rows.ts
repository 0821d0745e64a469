import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { PushedDown } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { beginRead, readBounded } from '../../platform/db/bounded-read.ts';
import { copyLines } from '../../platform/db/copy-lines.ts';
import { isStatementTimeout } from '../../platform/db/failures.ts';
import type { Database } from '../../platform/db/pool.ts';
import { type DataSet, type EvaluatedPage, MAX_LOADED_BYTES } from '../../platform/evaluation/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { compileRecordSearch } from '../search/index.ts';
import { isRecordOf, type RecordSource, requirePrepared, tableOf, withSourceRecords } from '../sync/index.ts';
import { checkSearch, findTemplate, sourceOf } from './catalogue.ts';
import { orderOf } from './order.ts';
import { rowCondition } from './row-conditions.ts';
import { rowProjection } from './row-fields.ts';

/** Reads the column `row` of a select as lines, in one snapshot. @param ms statement timeout */
async function* readRows(context: Context, select: SQL, ms: number): AsyncGenerator<Buffer> {
  const client = await context.db.$client.connect();
  let isComplete = false;
  try {
    await client.query(beginRead(ms));
    yield* copyLines(client, select);
    isComplete = true;
  } catch (error) {
    throw isStatementTimeout(error) ? tooSlowError() : error;
  } finally {
    // A connection with unread rows cannot be reused.
    if (isComplete) await client.query('rollback').catch(() => undefined);
    client.release(!isComplete);
  }
}

function tooSlowError(): AppError {
  return new AppError(
    'query-too-complex',
    'The query might be too complex: the database took too long to read its rows. Narrow it down.',
  );
}

/** The rows for an evaluation. */
export interface TemplateRows {
  set: DataSet;
  /** The connection of the rows; undefined before the provider was first connected. */
  connectionId?: string;
  /** The fields that people look at first. */
  columns: readonly string[];
  /** The condition that the database applies, and the number of all records before it. */
  pushedDown?: { text: string; total: number };
}

export interface RowsRequest {
  userId: string;
  entity: string;
  templateKey: string;
  /** Selects rows of a template of records; empty or absent: all. */
  search?: string | undefined;
  /** The expression that will be evaluated over the rows, and its variables. */
  expression: string;
  bindings?: Record<string, unknown>;
}

/** Returns the rows of a template that an expression needs. */
export async function templateRows(
  context: Context,
  registry: ConnectorRegistry,
  request: RowsRequest,
): Promise<TemplateRows> {
  const found = findTemplate(registry, request);
  const { entity, template } = found;
  const { search = '' } = request;
  checkSearch(found, search);
  const source = await sourceOf(context, registry, request);
  const { columns = [] } = template;
  if (!source) return { set: emptySet(template.key), columns };
  const { version, records } = await requirePrepared(context.db, source, { entity });
  const isDocuments = template.kind === 'documents';
  const searched =
    search === ''
      ? undefined
      : await compileRecordSearch(context, registry, source, { entity, text: search });
  const condition = isDocuments
    ? rowCondition(request.expression, request.bindings ?? {}, entity)
    : undefined;
  const projection = isDocuments ? rowProjection(request.expression, entity) : undefined;
  const part = [
    condition?.name ?? '',
    projection?.name ?? 'whole',
    ...(search === '' ? [] : [hash('sha256', search, 'base64url')]),
  ].join('|');
  const family = `${source.userId}/${source.connectionId}/${template.key}${part === '|whole' ? '' : `?${part}`}`;
  const conditions = [searched?.where, condition?.where].filter((one) => one !== undefined);
  const selected = {
    where: conditions.length === 0 ? undefined : sql.join(conditions, sql` and `),
    row: projection?.row ?? sql`r.data::text`,
  };
  const select = isDocuments
    ? documents(source, { ...selected, order: orderOf(template.orderBy) })
    : withSourceRecords(source, sql`select row_to_json(t)::text as row from (${sql.raw(template.sql)}) t`);
  const data = [`${family}@${version}`, ...(searched ? [searched.name] : [])].join('/');
  // Templates compute ages in days, so the day is part of the cache key.
  const day = new Date().toISOString().slice(0, 10);
  const set = {
    key: `${data}/${day}`,
    family,
    isSelection: part !== '|whole',
    ...(isDocuments && (await sizeOf(context.db, source, { name: data, records, ...selected }))),
    read: (ms: number) => readRows(context, select, ms),
  };
  const { connectionId } = source;
  const texts = [
    ...(searched ? [`search ${JSON.stringify(search)}`] : []),
    ...(condition ? [condition.text] : []),
  ];
  return texts.length === 0
    ? { set, connectionId, columns }
    : { set, connectionId, columns, pushedDown: { text: texts.join(' and '), total: records } };
}

/** Up to this many records are loaded without measuring: 64 KB each would still fit in memory. */
const MAX_UNMEASURED_RECORDS = 2000;
/** Number of newest records from which the size of a document is estimated. */
const SAMPLE_SIZE = 100;
/** Timeout for counting the documents that a condition selects, ms. */
const COUNT_TIMEOUT_MS = 5000;

interface Size {
  rows: number;
  bytes: number;
}

/** Cached sizes by row name and data version, because counting a million rows takes longer than a page. */
const sizes = new Map<string, Size>();
const MAX_CACHED_SIZES = 1000;

/** The part of the documents that a query reads. */
interface Selected {
  records: number;
  where: SQL | undefined;
  row: SQL;
}

/**
 * Estimates the number and bytes of the documents that a query reads. Large results are streamed.
 * @param name cache key of the rows, including the data version
 */
async function sizeOf(
  db: Database,
  source: RecordSource,
  { name, ...selected }: Selected & { name: string },
): Promise<Size | undefined> {
  if (selected.records <= MAX_UNMEASURED_RECORDS) return undefined;
  const known = sizes.get(name);
  if (known) return known;
  const size = await measureSize(db, source, selected);
  if (sizes.size >= MAX_CACHED_SIZES) sizes.delete(sizes.keys().next().value ?? '');
  sizes.set(name, size);
  return size;
}

async function measureSize(
  db: Database,
  source: RecordSource,
  { records, where, row }: Selected,
): Promise<Size> {
  const fromSource = sql`from ${tableOf(source)} r where ${isRecordOf(source)}`;
  const sampled = await db.execute<{ bytes: number }>(sql`
    select coalesce(avg(octet_length(${row})), 0)::float8 as bytes
    from (select * ${fromSource} order by occurred_at desc, id desc limit ${SAMPLE_SIZE}) r`);
  const bytes = sampled.rows[0]?.bytes ?? 0;
  const all = { rows: records, bytes: records * bytes };
  if (where === undefined || all.bytes <= MAX_LOADED_BYTES) return all;
  try {
    const counted = await readBounded(db, COUNT_TIMEOUT_MS, async (tx) =>
      tx.execute<{ rows: number }>(sql`select count(*)::int as rows ${fromSource} and ${where}`),
    );
    const rows = counted.rows[0]?.rows ?? 0;
    return { rows, bytes: rows * bytes };
  } catch (error) {
    if (isStatementTimeout(error)) return all;
    throw error;
  }
}

/** Selects the documents of a source, or their projected fields. */
function documents(
  source: RecordSource,
  { row, where, order }: { row: SQL; where: SQL | undefined; order: SQL },
): SQL {
  const selected = where === undefined ? sql`` : sql` and ${where}`;
  return sql`select ${row} as row from ${tableOf(source)} r where ${isRecordOf(source)}${selected} order by ${order}`;
}

function emptySet(key: string): DataSet {
  return {
    key: `none/${key}`,
    family: `none/${key}`,
    read: () => Readable.from([]),
  };
}

/** Adds the database's condition and row counts to an evaluated page. */
export function withPushDown(page: EvaluatedPage, { pushedDown }: TemplateRows): PushedDownPage {
  if (pushedDown === undefined) return page;
  return { ...page, rows: pushedDown.total, pushedDown: { text: pushedDown.text, rows: page.rows } };
}

export type PushedDownPage = EvaluatedPage & { pushedDown?: PushedDown };
