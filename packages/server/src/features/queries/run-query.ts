import { type Bindings, PAGE_SIZES, type QueryAnswer } from '@datadeck/contract';
import type { Context } from '../../platform/context.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { templateRows } from '../templates/index.ts';

/** Longest evaluation of a live query, ms. */
const LIVE_MS = 5000;

/** Evaluates an expression over all rows of a template; array results are paged by 20. */
export async function runQuery(
  context: Context,
  registry: ConnectorRegistry,
  request: {
    userId: string;
    entity: string;
    templateKey: string;
    expression: string;
    bindings: Bindings;
    page: number;
  },
): Promise<QueryAnswer> {
  const rows = await templateRows(context, registry, request);
  const { userId, expression, bindings } = request;
  const limit = PAGE_SIZES.results;
  return context.evaluation.page(
    { userId, rows, chain: [expression], bindings, deadlineMs: LIVE_MS },
    { offset: (request.page - 1) * limit, limit },
  );
}
