import type { Readable } from 'node:stream';
import type { DownloadFormat } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { Evaluation } from '../../platform/evaluation/index.ts';
import { writeFile } from '../../platform/files/index.ts';
import { currentShare } from '../../platform/share.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { templateRows } from '../templates/index.ts';
import type { QueryRequest } from './run-query.ts';

/**
 * Returns the whole result of an evaluation as a file. The caller must read or destroy it.
 * @throws AppError expression-failed, query-too-complex, rate-limited
 */
export async function resultFile(
  context: Context,
  evaluation: Evaluation,
  format: DownloadFormat | 'exact-csv',
): Promise<Readable> {
  if (format !== 'xlsx' && format !== 'parquet') return context.evaluation.stream(evaluation, format);
  const rows = await context.evaluation.rows(evaluation);
  try {
    return writeFile(format, rows, currentShare());
  } catch (error) {
    rows.open(true).destroy();
    throw error;
  }
}

/**
 * Returns the whole result of an expression over all rows of a template as a file. The caller must read or destroy it.
 * @throws AppError as `runQuery`, and rate-limited
 */
export async function downloadQuery(
  context: Context,
  registry: ConnectorRegistry,
  request: QueryRequest & { format: DownloadFormat | 'exact-csv' },
): Promise<Readable> {
  const { userId, expression, bindings, format, signal } = request;
  const { set: rows } = await templateRows(context, registry, request);
  return resultFile(
    context,
    { userId, rows, chain: [expression], bindings, urgency: 'live', ...(signal && { signal }) },
    format,
  );
}
