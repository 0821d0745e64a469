import { PAGE_SIZES } from '@datadeck/contract';
import type { Context } from '../../platform/context.ts';
import type { OutputFormat } from '../../platform/evaluation/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { type PushedDownPage, templateRows, withPushDown } from '../templates/index.ts';
import { findView, type ViewRow } from './store.ts';

/** A view and its bases, the one upon the template first. `basedOn` never changes, so there is no cycle. */
async function chainOf(
  context: Context,
  userId: string,
  view: ViewRow,
): Promise<{ root: ViewRow; chain: string[] }> {
  const chain = [view.expression];
  let root = view;
  while (root.basedOn !== null) {
    root = await findView(context.db, userId, root.basedOn);
    chain.unshift(root.expression);
  }
  return { root, chain };
}

async function evaluationOf(context: Context, registry: ConnectorRegistry, userId: string, view: ViewRow) {
  const { root, chain } = await chainOf(context, userId, view);
  const rows = await templateRows(context, registry, {
    userId,
    entity: root.entity,
    templateKey: root.templateKey ?? '',
    expression: chain[0] ?? '',
  });
  return { rows, evaluation: { userId, rows: rows.set, chain, urgency: 'saved' as const } };
}

/** A page of 20 of a view's result. @throws AppError not-found, expression-invalid, expression-failed, query-too-complex */
export async function readViewPage(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; viewId: string; page: number },
): Promise<PushedDownPage> {
  const view = await findView(context.db, request.userId, request.viewId);
  const limit = PAGE_SIZES.results;
  const { rows, evaluation } = await evaluationOf(context, registry, request.userId, view);
  const page = await context.evaluation.page(evaluation, { offset: (request.page - 1) * limit, limit });
  return withPushDown(page, rows);
}

/** A view's whole result as text. @throws AppError as readViewPage, on the first chunk */
export async function downloadView(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; viewId: string; format: OutputFormat },
): Promise<{ title: string; chunks: AsyncGenerator<string | Buffer> }> {
  const view = await findView(context.db, request.userId, request.viewId);
  const { evaluation } = await evaluationOf(context, registry, request.userId, view);
  return { title: view.title, chunks: context.evaluation.stream(evaluation, request.format) };
}
