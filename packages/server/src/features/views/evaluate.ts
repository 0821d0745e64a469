import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  type DownloadFormat,
  FEED_ROWS,
  type FeedFormat,
  inputsOf,
  PAGE_SIZES,
  type Sort,
} from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { EvaluatedPage, ResultFile } from '../../platform/evaluation/index.ts';
import { currentFairQueue } from '../../platform/fair-queue.ts';
import { writeFeed } from '../../platform/files/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { resultFile } from '../queries/index.ts';
import { type PushedDownPage, readTemplatePage, templateRows, withPushDown } from '../templates/index.ts';
import { chainOf, entitiesOf, findView, isJoined } from './graph.ts';
import { bindingsOf, parseBindings } from './parameters.ts';
import { planOf } from './plan.ts';
import type { ViewRow } from './to-response.ts';

const isTrivial = (expression: string) => ['', '$'].includes(expression.trim());

/** Returns the first expression of a chain that changes its input; earlier ones return all rows unchanged. */
function firstNonTrivialExpression(chain: readonly string[]): string {
  return chain.find((expression) => !isTrivial(expression)) ?? '';
}

/** A page of a result, in an order of its own. */
interface PageRequest {
  page: number;
  /** Absent: the order of the view. */
  sort?: Sort | undefined;
}

/** A request for the result of a view. */
interface ViewRequest {
  userId: string;
  viewId: string;
  /** The account whose rows are read; absent or empty for all. */
  account?: string | undefined;
  /** Parameter values as JSON. */
  parameters: string | undefined;
  /** Evaluated over the view's whole result. */
  expression?: string;
  /** Id of the run as of whose end the view is read; absent: now. */
  asOf?: string;
  /** Called with the number of rows before they are returned; throws to refuse them. */
  charge?: (rows: number) => Promise<void>;
  /** Aborted when the caller disconnects. */
  signal?: AbortSignal;
}

async function evaluationOf(
  context: Context,
  registry: ConnectorRegistry,
  { userId, account, parameters, expression, asOf, signal }: ViewRequest,
  view: ViewRow,
) {
  const views = await chainOf(context.db, userId, view);
  const bindings = bindingsOf(inputsOf(views), parameters);
  const urgency = expression === undefined ? ('saved' as const) : ('live' as const);
  const asked = { userId, bindings, urgency, ...(signal && { signal }) };
  if (isJoined(views)) {
    const { rows, family, plan } = await planOf(context, registry, { ...asked, account, views, asOf });
    const chain = expression === undefined ? [] : [expression];
    return { rows, family, root: view, search: null, evaluation: { ...asked, rows: rows.set, plan, chain } };
  }
  const root = views[0] ?? view;
  const chain = views.map((one) => one.expression);
  if (expression !== undefined) chain.push(expression);
  const rows = await templateRows(context, registry, {
    userId,
    entity: root.entity,
    templateKey: root.templateKey ?? '',
    account,
    search: root.search ?? '',
    expression: firstNonTrivialExpression(chain),
    bindings,
    asOf,
  });
  return {
    rows,
    family: rows.set.family,
    root,
    search: root.search,
    evaluation: { ...asked, rows: rows.set, plan: undefined, chain },
  };
}

/** Reads a page of a view that has all rows of its template: the database may sort more of them than a process can load. */
async function readSortedRows(
  context: Context,
  registry: ConnectorRegistry,
  { userId, account, page, sort }: ViewRequest & PageRequest,
  { entity, templateKey, search }: ViewRow,
): Promise<EvaluatedPage> {
  const started = performance.now();
  const rows = await readTemplatePage(context, registry, {
    userId,
    entity,
    templateKey: templateKey ?? '',
    account,
    search: search ?? '',
    page,
    sort,
  });
  return { ...rows, isArray: true, rows: rows.count, elapsedMs: performance.now() - started };
}

/** A page of a view's result. The results are the text of a JSON array. */
type ViewPage = Omit<PushedDownPage, 'rows' | 'elapsedMs'>;

/**
 * Returns a page of 20 results of a view, or of an expression over it.
 * @throws AppError not-found, validation-failed, expression-invalid, expression-failed, query-too-complex
 */
export async function readViewPage(
  context: Context,
  registry: ConnectorRegistry,
  request: ViewRequest & PageRequest,
): Promise<ViewPage> {
  const view = await findView(context.db, request.userId, request.viewId);
  const limit = PAGE_SIZES.results;
  const { root, rows, evaluation } = await evaluationOf(context, registry, request, view);
  const isNow = request.asOf === undefined;
  const isOfTemplate =
    isNow && request.sort !== undefined && !evaluation.plan && evaluation.chain.every(isTrivial);
  const page = isOfTemplate
    ? await readSortedRows(context, registry, request, root)
    : await context.evaluation.page(
        { ...evaluation, sort: request.sort },
        { offset: (request.page - 1) * limit, limit },
      );
  const { text, count, isArray, pushedDown } = withPushDown(page, rows);
  // A result that is no array is one row on each page.
  const onPage = Math.min(limit, Math.max(1, count - (request.page - 1) * limit));
  // A page without rows still shows their number.
  await request.charge?.(text === '[]' ? 1 : onPage);
  // A token for the view shows its rows, not how they are selected.
  return { text, count, isArray, ...(pushedDown && !request.charge && { pushedDown }) };
}

/**
 * Returns the whole result of a view as a stream. The caller must read or destroy it.
 * @throws AppError like readViewPage, and rate-limited
 */
export async function downloadView(
  context: Context,
  registry: ConnectorRegistry,
  request: ViewRequest & { format: DownloadFormat | 'exact-csv' },
): Promise<{ title: string; file: Readable }> {
  const view = await findView(context.db, request.userId, request.viewId);
  const { rows, evaluation } = await evaluationOf(context, registry, request, view);
  const { format, charge } = request;
  const file = await resultFile(context, evaluation, { format, charge, preferred: rows.columns });
  return { title: view.title, file };
}

/**
 * Returns the first rows of a view as a feed, with its entity tag. Nothing is charged if the caller has the same feed.
 * @throws AppError as readViewPage, and rate-limited
 */
export async function feedView(
  context: Context,
  registry: ConnectorRegistry,
  request: ViewRequest & { format: FeedFormat; knownTag: string | undefined },
): Promise<{ feed: Buffer; tag: string; isKnown: boolean }> {
  const { format, knownTag, charge } = request;
  const view = await findView(context.db, request.userId, request.viewId);
  const { evaluation } = await evaluationOf(context, registry, request, view);
  const page = await context.evaluation.page(evaluation, { offset: 0, limit: FEED_ROWS.ical });
  const info = { id: view.id, title: view.title, updatedAt: view.updatedAt.toISOString() };
  const feed = await writeFeed(format, info, page.text, currentFairQueue());
  const tag = `"${createHash('sha256').update(feed).digest('base64url')}"`;
  const isKnown = knownTag === tag;
  if (!isKnown) await charge?.(Math.min(page.count, FEED_ROWS[format]));
  return { feed, tag, isKnown };
}

/** A view whose rows are compared from time to time. */
export interface WatchedView {
  title: string;
  /** The entities whose records it reads. */
  entities: readonly { provider: string; entity: string }[];
  /** Changes with the records, and each day, because templates compute ages. */
  dataKey: string;
  /** Search, expressions and values; results of different ones cannot be compared. */
  definition: string;
  /** Names of the fields that people look at first. */
  shownFields: readonly string[];
  /**
   * Returns all rows, with one of the saved evaluations of the user. The caller must release them.
   * @throws AppError like readViewPage
   */
  rows(): Promise<ResultFile>;
}

/** Prepares to read all rows of a view in the background. @throws AppError not-found, validation-failed, unavailable */
export async function watchView(
  context: Context,
  registry: ConnectorRegistry,
  request: ViewRequest,
): Promise<WatchedView> {
  const view = await findView(context.db, request.userId, request.viewId);
  const { rows, family, search, evaluation } = await evaluationOf(context, registry, request, view);
  const { plan, chain, bindings } = evaluation;
  return {
    title: view.title,
    entities: entitiesOf(await chainOf(context.db, request.userId, view)),
    dataKey: rows.set.key,
    definition: JSON.stringify([
      rows.connectionIds.join(),
      chain,
      bindings,
      ...(search === null ? [] : [search]),
      ...(plan ? [plan, family] : []),
    ]),
    shownFields: rows.columns,
    rows: () => context.evaluation.whole(evaluation),
  };
}

/** Checks that a view of the user exists and takes these values, given as JSON. @throws AppError not-found, validation-failed */
export async function checkViewValues(
  db: Queryable,
  userId: string,
  { viewId, parameters }: Pick<ViewRequest, 'viewId' | 'parameters'>,
): Promise<void> {
  const view = await findView(db, userId, viewId);
  bindingsOf(inputsOf(await chainOf(db, userId, view)), parameters);
}

/**
 * Returns, as JSON, those of the values that are parameters of a view; undefined for none. @param parameters values by name as JSON
 * @throws AppError not-found
 */
export async function valuesForView(
  db: Queryable,
  userId: string,
  { viewId, parameters }: { viewId: string; parameters: string | null },
): Promise<string | undefined> {
  if (parameters === null) return undefined;
  const view = await findView(db, userId, viewId);
  const names = new Set(inputsOf(await chainOf(db, userId, view)).map(({ name }) => name));
  const values = Object.entries(parseBindings(parameters)).filter(([name]) => names.has(name));
  return JSON.stringify(Object.fromEntries(values));
}
