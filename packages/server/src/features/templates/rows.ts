import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { EntityDefinition, RowsTemplate } from '@datadeck/connectors';
import type { PushedDown } from '@datadeck/contract';
import type { RowSource } from '@datadeck/jsonata';
import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { beginRead } from '../../platform/db/bounded-read.ts';
import { copyLines } from '../../platform/db/copy-lines.ts';
import { isStatementTimeout } from '../../platform/db/failures.ts';
import type { DataSet, EvaluatedPage } from '../../platform/evaluation/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { openRecords, type RecordSet, withRecords } from '../records/index.ts';
import { compileRecordSearch, findSearchedSet } from '../search/index.ts';
import { NO_NESTED_LOOPS, openPast, type PastRecords } from './as-of.ts';
import { checkSearch, findTemplate } from './catalogue.ts';
import type { ComparedKeys } from './key-condition.ts';
import { type NeededDocuments, neededDocuments, type SearchedDocuments } from './needed-documents.ts';
import { orderOf } from './order.ts';
import { othersOf, rowsVersion } from './other-entities.ts';

/**
 * Reads the column `row` of a select as lines, in one snapshot.
 * @param ms statement timeout @param options.settings local ones, as SQL @param options.advice what to do when it takes too long
 */
async function* readRows(
  context: Context,
  select: SQL,
  ms: number,
  { settings = '', advice = 'Narrow it down.' } = {},
): AsyncGenerator<Buffer> {
  const client = await context.db.$client.connect();
  let isComplete = false;
  try {
    await client.query(`${beginRead(ms)}; ${settings}`);
    yield* copyLines(client, select);
    isComplete = true;
  } catch (error) {
    throw isStatementTimeout(error) ? tooSlowError(advice) : error;
  } finally {
    // A connection with unread rows cannot be reused.
    if (isComplete) await client.query('rollback').catch(() => undefined);
    client.release(!isComplete);
  }
}

/** Reads rows as they were. What was read counts only if its undo logs are still kept. */
async function* readPast(
  context: Context,
  past: PastRecords,
  select: SQL,
  ms: number,
): AsyncGenerator<Buffer> {
  const advice = 'Choose a newer run, or narrow it down.';
  yield* readRows(context, past.within(select), ms, { settings: NO_NESTED_LOOPS, advice });
  await past.recheck();
}

function tooSlowError(advice: string): AppError {
  return new AppError(
    'query-too-complex',
    `The query might be too complex: the database took too long to read its rows. ${advice}`,
  );
}

/** The rows for an evaluation. */
export interface TemplateRows {
  set: DataSet;
  /** The connections of the rows; empty before the provider was first connected. */
  connectionIds: readonly string[];
  /** The fields that people look at first. */
  columns: readonly string[];
  /** The condition that the database applies, and the number of all records before it. */
  pushedDown?: { text: string; total: number };
}

export interface RowsRequest {
  userId: string;
  entity: string;
  templateKey: string;
  /** The account whose rows are read; absent or empty for all. */
  account?: string | undefined;
  /** Selects rows of a template of records; empty or absent: all. */
  search?: string | undefined;
  /** The expression that will be evaluated over the rows, and its variables. */
  expression: string;
  bindings?: Record<string, unknown>;
  /** Where the rows are in the expression; absent: its input. */
  source?: RowSource | undefined;
  /** If set, documents that the expression compares with other keys are left out. */
  keys?: ComparedKeys | undefined;
  /** Id of the run as of whose end the rows are read; absent: now. */
  asOf?: string | undefined;
}

/** Returns the documents that a search selects; undefined for no search. @param now time from which its ages count */
async function searchedDocuments(
  context: Context,
  registry: ConnectorRegistry,
  set: RecordSet,
  { entity, text, now }: { entity: EntityDefinition; text: string; now: Date | undefined },
): Promise<SearchedDocuments | undefined> {
  if (text === '') return undefined;
  const { where, name: version } = await compileRecordSearch(context, registry, set, { entity, text, now });
  return { where, name: hash('sha256', text, 'base64url'), version };
}

/** Describes what the database selects, and the number of all records before that. */
function pushedDownOf(
  search: string,
  needed: NeededDocuments | undefined,
  total: number,
): Pick<TemplateRows, 'pushedDown'> {
  const texts = [
    ...(search === '' ? [] : [`search ${JSON.stringify(search)}`]),
    ...(needed?.condition ? [needed.condition.text] : []),
  ];
  return texts.length === 0 ? {} : { pushedDown: { text: texts.join(' and '), total } };
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
  const shown = await findSearchedSet(context, registry, request);
  const { columns = [] } = template;
  if (!shown) return { set: emptySet(template.key), connectionIds: [], columns };
  const present = await openRecords(context.db, shown, { entity });
  const { asOf } = request;
  const past =
    asOf === undefined
      ? undefined
      : await openPast(context, registry, shown, {
          entity,
          template,
          asOf,
          records: present.records,
          isSearched: search !== '',
        });
  const { set: opened, records } = past ?? present;
  const version = past ? `${present.version}!${asOf}` : present.version;
  const searched = await searchedDocuments(context, registry, opened, {
    entity,
    text: search,
    now: past?.endedAt,
  });
  const needed =
    template.kind === 'documents'
      ? await neededDocuments(context.db, opened, {
          entity,
          expression: request.expression,
          bindings: request.bindings ?? {},
          source: request.source,
          keys: request.keys,
          order: orderOf(opened, template.orderBy),
          searched,
          records,
          version,
          past,
        })
      : undefined;
  const select = needed?.select ?? rowsOf(opened, template as RowsTemplate);
  const part = needed?.name ?? '';
  const when = past ? `!${asOf}` : '';
  const family = `${opened.userId}/${opened.key}/${template.key}${when}${part === '' ? '' : `?${part}`}`;
  // Templates compute ages in days, so the day is part of the cache key.
  const day = new Date().toISOString().slice(0, 10);
  const set: DataSet = {
    key: `${family}@${await rowsVersion(context.db, opened, { template, version: present.version })}/${searched?.version ?? ''}/${day}`,
    family,
    isSelection: part !== '',
    ...needed?.size,
    ...(needed?.filter && { filter: needed.filter }),
    read: (ms: number) => (past ? readPast(context, past, select, ms) : readRows(context, select, ms)),
  };
  const connectionIds = opened.accounts.map(({ connectionId }) => connectionId);
  return { set, connectionIds, columns, ...pushedDownOf(search, needed, records) };
}

/** Reads the rows of a template that is no list of documents. */
function rowsOf(set: RecordSet, template: RowsTemplate): SQL {
  return withRecords(
    set,
    sql`select row_to_json(t)::text as row from (${sql.raw(template.sql)}) t`,
    othersOf(template),
  );
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
