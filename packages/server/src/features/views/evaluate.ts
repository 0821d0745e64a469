import { PAGE_SIZES } from '@datadeck/contract';
import type { Context } from '../../platform/context.ts';
import type { OutputFormat } from '../../platform/evaluation/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { type PushedDownPage, templateRows, withPushDown } from '../templates/index.ts';
import { bindingsOf, inputsOf } from './parameters.ts';
import { chainOf, findView, type ViewRow } from './store.ts';

/** The first expression of a chain that does anything: those before hand all rows on as they are. */
function firstAtWork(chain: readonly ViewRow[]): string {
  return chain.find(({ expression }) => !['', '$'].includes(expression.trim()))?.expression ?? '';
}

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
    expression: firstAtWork(chain),
    bindings,
  });
  return {
    rows,
    evaluation: {
      userId,
      rows: rows.set,
      chain: chain.map(({ expression }) => expression),
      bindings,
      urgency: 'saved' as const,
    },
  };
}

/** A page of a view's result, the results as the text of a JSON array. */
type ViewPage = Omit<PushedDownPage, 'rows' | 'elapsedMs'>;

/** A page of 20 of a view's result. @throws AppError not-found, validation-failed, expression-invalid, expression-failed, query-too-complex */
export async function readViewPage(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; viewId: string; page: number; parameters: string | undefined },
): Promise<ViewPage> {
  const view = await findView(context.db, request.userId, request.viewId);
  const limit = PAGE_SIZES.results;
  const { rows, evaluation } = await evaluationOf(context, registry, request, view);
  const page = await context.evaluation.page(evaluation, { offset: (request.page - 1) * limit, limit });
  const { text, count, isArray, pushedDown } = withPushDown(page, rows);
  return { text, count, isArray, ...(pushedDown && { pushedDown }) };
}

/** A view's whole result as text. @throws AppError as readViewPage, on the first chunk */
export async function downloadView(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; viewId: string; format: OutputFormat; parameters: string | undefined },
): Promise<{ title: string; chunks: AsyncGenerator<string | Buffer> }> {
  const view = await findView(context.db, request.userId, request.viewId);
  const { evaluation } = await evaluationOf(context, registry, request, view);
  return { title: view.title, chunks: context.evaluation.stream(evaluation, request.format) };
}
