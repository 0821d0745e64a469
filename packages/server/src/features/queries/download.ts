import { Readable } from 'node:stream';
import type { DownloadFormat } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { Evaluation, ResultFile } from '../../platform/evaluation/index.ts';
import { currentFairQueue } from '../../platform/fair-queue.ts';
import { jsonArray, writeFile } from '../../platform/files/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { templateRows } from '../templates/index.ts';
import type { QueryRequest } from './run-query.ts';

type FileFormat = DownloadFormat | 'exact-csv';

/** How a result is handed out. */
interface FileRequest {
  format: FileFormat;
  /** Called with the number of rows before they are returned; throws to refuse them. */
  charge?: ((rows: number) => Promise<void>) | undefined;
  /** Names of the fields that people look at first. */
  preferred?: readonly string[];
}

/**
 * Returns the whole result of an evaluation as a file. The caller must read or destroy it.
 * @throws AppError expression-failed, query-too-complex, rate-limited
 */
export async function resultFile(
  context: Context,
  evaluation: Evaluation,
  { format, charge, preferred = [] }: FileRequest,
): Promise<Readable> {
  const endDownload = context.evaluation.beginDownload(evaluation);
  let result: ResultFile | undefined;
  const end = () => {
    result?.release();
    endDownload();
  };
  try {
    result = await context.evaluation.whole(evaluation);
    const file = fileOf(result, format, preferred);
    try {
      // A download that is refused, because too many are running, costs nothing.
      await charge?.(Math.max(1, result.count));
    } catch (error) {
      file.destroy();
      throw error;
    }
    return file.once('close', end);
  } catch (error) {
    end();
    throw error;
  }
}

/** Longest value that is indented, bytes. */
const MAX_INDENTED = 64 * 1024;

/** Returns the JSON of a result that is no list; a small one is indented for readability. */
function jsonValue(result: ResultFile): Readable {
  if (result.count === 0) return Readable.from(['null\n']);
  if (result.bytes > MAX_INDENTED) return result.read();
  return Readable.from(indented(result));
}

async function* indented(result: ResultFile): AsyncGenerator<string> {
  const [value] = JSON.parse(await result.page(0, 1)) as unknown[];
  yield `${JSON.stringify(value, null, 2)}\n`;
}

function fileOf(result: ResultFile, format: FileFormat, preferred: readonly string[]): Readable {
  if (format === 'ndjson') return result.read();
  if (format === 'json') return result.isArray ? jsonArray(result.read()) : jsonValue(result);
  return writeFile(format, () => result.read(), currentFairQueue(), { preferred });
}

/**
 * Returns the whole result of an expression over all rows of a template as a file. The caller must read or destroy it.
 * @throws AppError as `runQuery`, and rate-limited
 */
export async function downloadQuery(
  context: Context,
  registry: ConnectorRegistry,
  request: QueryRequest & { format: FileFormat },
): Promise<Readable> {
  const { userId, expression, bindings, format, signal } = request;
  const { set: rows, columns: preferred } = await templateRows(context, registry, request);
  return resultFile(
    context,
    { userId, rows, chain: [expression], bindings, urgency: 'live', ...(signal && { signal }) },
    { format, preferred },
  );
}

/** Returns the whole result of an expression over all rows of a template. The caller must release it. @throws AppError as `runQuery` */
export async function wholeResult(
  context: Context,
  registry: ConnectorRegistry,
  request: QueryRequest,
): Promise<ResultFile> {
  const { userId, expression, bindings, signal } = request;
  const { set: rows } = await templateRows(context, registry, request);
  return context.evaluation.whole({
    userId,
    rows,
    chain: [expression],
    bindings,
    urgency: 'live',
    ...(signal && { signal }),
  });
}
