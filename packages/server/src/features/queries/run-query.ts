import { PAGE_SIZES } from '@datadeck/contract';
import type { Context } from '../../platform/context.ts';
import type { EvaluatedPage } from '../../platform/evaluation/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { templateRows } from '../templates/index.ts';

/** Evaluates an expression over all rows of a template; array results are paged by 20. */
export async function runQuery(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; entity: string; templateKey: string; expression: string; page: number },
): Promise<EvaluatedPage> {
  const rows = await templateRows(context, registry, request);
  const limit = PAGE_SIZES.results;
  return context.evaluation.page(
    { userId: request.userId, rows, chain: [request.expression], urgency: 'live' },
    { offset: (request.page - 1) * limit, limit },
  );
}
