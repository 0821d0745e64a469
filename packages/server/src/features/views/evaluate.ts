import { PAGE_SIZES, type ViewResults } from '@datadeck/contract';
import type { Context } from '../../platform/context.ts';
import type { OutputFormat } from '../../platform/evaluation/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { templateRows } from '../templates/index.ts';
import { bindingsOf, inputsOf } from './parameters.ts';
import { chainOf, findView, type ViewRow } from './store.ts';

/** Longest evaluation of a saved query, ms. */
const SAVED_MS = 30_000;

async function evaluationOf(
  context: Context,
  registry: ConnectorRegistry,
  { userId, parameters }: { userId: string; parameters: string | undefined },
  view: ViewRow,
) {
  const chain = await chainOf(context.db, userId, view);
  const bindings = bindingsOf(inputsOf(chain), parameters);
  const root = chain[0] ?? view;
  const rows = await templateRows(context, registry, {
    userId,
    entity: root.entity,
    templateKey: root.templateKey ?? '',
  });
  return { userId, rows, chain: chain.map(({ expression }) => expression), bindings, deadlineMs: SAVED_MS };
}

/** A page of 20 of a view's result. @throws AppError not-found, validation-failed, expression-invalid, expression-failed, query-too-complex */
export async function readViewPage(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; viewId: string; page: number; parameters: string | undefined },
): Promise<ViewResults> {
  const view = await findView(context.db, request.userId, request.viewId);
  const limit = PAGE_SIZES.results;
  const evaluation = await evaluationOf(context, registry, request, view);
  const { results, count, isArray } = await context.evaluation.page(evaluation, {
    offset: (request.page - 1) * limit,
    limit,
  });
  return { results, count, isArray };
}

/** A view's whole result as text. @throws AppError as readViewPage, on the first chunk */
export async function downloadView(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; viewId: string; format: OutputFormat; parameters: string | undefined },
): Promise<{ title: string; chunks: AsyncGenerator<string> }> {
  const view = await findView(context.db, request.userId, request.viewId);
  const evaluation = await evaluationOf(context, registry, request, view);
  return { title: view.title, chunks: context.evaluation.stream(evaluation, request.format) };
}
