import { type Bindings, PAGE_SIZES, type Sort } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { type PushedDownPage, templateRows, withPushDown } from '../templates/index.ts';

/** An expression over the rows of a template. */
export interface QueryRequest {
  userId: string;
  entity: string;
  templateKey: string;
  /** The account whose rows are read; absent or empty for all. */
  account?: string | undefined;
  /** Selects rows of a template of records; absent or empty: all. */
  search?: string | undefined;
  expression: string;
  bindings: Bindings;
  /** Aborted when the caller disconnects. */
  signal?: AbortSignal;
}

/** Evaluates an expression over all rows of a template. Array results are sorted and paged by 20. */
export async function runQuery(
  context: Context,
  registry: ConnectorRegistry,
  request: QueryRequest & { page: number; sort?: Sort | undefined },
): Promise<PushedDownPage> {
  const rows = await templateRows(context, registry, request);
  const { userId, expression, bindings, sort, signal } = request;
  const limit = PAGE_SIZES.results;
  const page = await context.evaluation.page(
    {
      userId,
      rows: rows.set,
      chain: [expression],
      bindings,
      sort,
      urgency: 'live',
      ...(signal && { signal }),
    },
    { offset: (request.page - 1) * limit, limit },
  );
  return withPushDown(page, rows);
}
