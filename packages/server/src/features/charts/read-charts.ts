import { type Chart, type ChartData, isTimeZone } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { ResultFile } from '../../platform/evaluation/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { type QueryRequest, wholeResult } from '../queries/index.ts';
import { watchView } from '../views/index.ts';
import { chartOfResult } from './chart-of-result.ts';

/** What is drawn of a result. */
interface ChartRequest {
  /** Absent: what is proposed. */
  chart?: Chart | undefined;
  timeZone: string;
}

function checkTimeZone({ timeZone }: ChartRequest): void {
  if (isTimeZone(timeZone)) return;
  throw new AppError('validation-failed', 'This time zone does not exist.', {
    fields: { timeZone: 'Must be a time zone such as Europe/Berlin' },
  });
}

async function drawAndRelease(result: ResultFile, request: ChartRequest): Promise<ChartData> {
  try {
    return await chartOfResult(result, request);
  } finally {
    result.release();
  }
}

/** Returns the chart of all rows of a view, or of an expression over it. @throws AppError like readViewPage, and rate-limited */
export async function readViewChart(
  context: Context,
  registry: ConnectorRegistry,
  request: ChartRequest & Parameters<typeof watchView>[2],
): Promise<ChartData> {
  checkTimeZone(request);
  const view = await watchView(context, registry, request);
  return drawAndRelease(await view.rows(), request);
}

/** Returns the chart of all rows of an expression over a template. @throws AppError as runQuery, and rate-limited */
export async function readQueryChart(
  context: Context,
  registry: ConnectorRegistry,
  request: ChartRequest & QueryRequest,
): Promise<ChartData> {
  checkTimeZone(request);
  return drawAndRelease(await wholeResult(context, registry, request), request);
}
