import type { Readable } from 'node:stream';
import {
  type ChartData,
  type DownloadFormat,
  type ErrorCode,
  parseSort,
  type Sort,
} from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { requireTimeZone } from '../accounts/index.ts';
import { readViewChart } from '../charts/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { downloadView, readViewPage } from '../views/index.ts';
import { fixedValues } from './fixed-values.ts';
import { type Shared, shareExhausted } from './share-grant.ts';
import { findSharedTile } from './shared-page.ts';

/** A request for a tile of a shared page. */
interface TileRequest {
  tileId: string;
  signal: AbortSignal;
}

/** Errors that say nothing of the owner's data, views and accounts. */
const PUBLIC_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'rate-limited',
  'unavailable',
  'storage-full',
  'internal',
]);

/** Runs the work. An error that may quote records or expressions of the owner is replaced. */
async function withPublicErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || PUBLIC_ERRORS.has(error.code)) throw error;
    if (error.code === 'token-exhausted') throw shareExhausted();
    throw new AppError(
      'share-unreadable',
      'This part of the page cannot be read at the moment. Only the person who shares it can see why.',
      { cause: error.message },
    );
  }
}

/** Finds the tile, and what reads its view with the fixed parameters. */
async function readableTile(
  context: Context,
  registry: ConnectorRegistry,
  { shared, tileId, signal }: TileRequest & { shared: Shared },
) {
  const { owner, charge } = shared;
  const { viewId, ...rest } = await findSharedTile(context, registry, { shared, tileId });
  const values = await withPublicErrors(fixedValues(context.db, owner.id, { ...shared, viewId }));
  return { ...rest, request: { userId: owner.id, viewId, parameters: values, signal, charge } };
}

/** Returns a page of 20 rows of a tile. @throws AppError not-found, share-unreadable, token-exhausted, rate-limited */
export async function readSharedRows(
  context: Context,
  registry: ConnectorRegistry,
  { shared, page, sort, ...rest }: TileRequest & { shared: Shared; page: number; sort: Sort | undefined },
): Promise<Awaited<ReturnType<typeof readViewPage>>> {
  const { request, sort: kept } = await readableTile(context, registry, { shared, ...rest });
  const order = sort ?? (kept === undefined ? undefined : parseSort(kept));
  return withPublicErrors(readViewPage(context, registry, { ...request, page, sort: order }));
}

/** Returns what the chart of a tile draws; each group counts as a row. @throws AppError like readSharedRows */
export async function readSharedChart(
  context: Context,
  registry: ConnectorRegistry,
  { shared, timeZone, ...rest }: TileRequest & { shared: Shared; timeZone: string },
): Promise<ChartData> {
  requireTimeZone(timeZone);
  const { request, chart } = await readableTile(context, registry, { shared, ...rest });
  const read = async () => {
    const data = await readViewChart(context, registry, { ...request, chart, timeZone });
    await shared.charge(Math.max(1, data.groups.length));
    return data;
  };
  return withPublicErrors(read());
}

/** Returns all rows of a tile as a stream. The caller must read or destroy it. @throws AppError like readSharedRows */
export async function downloadSharedTile(
  context: Context,
  registry: ConnectorRegistry,
  { shared, format, ...rest }: TileRequest & { shared: Shared; format: DownloadFormat | 'exact-csv' },
): Promise<{ title: string; file: Readable }> {
  const { request, tile } = await readableTile(context, registry, { shared, ...rest });
  const { file } = await withPublicErrors(downloadView(context, registry, { ...request, format }));
  return { title: tile.title, file };
}
