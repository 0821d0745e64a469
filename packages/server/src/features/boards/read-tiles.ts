import { type ChartData, type Tile, type ViewTile, viewIdsOf } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { readViewChart } from '../charts/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { readViewPage, selectViews } from '../views/index.ts';

/** A tile with what it shows. */
export type ReadTile =
  | { kind: 'text'; text: string }
  | { kind: 'search'; title: string }
  | { kind: 'chart'; title: string; data: ChartData }
  | { kind: 'rows'; title: string; rows: readonly unknown[]; count: number }
  | { kind: 'failure'; title: string; message: string };

interface TilesRequest {
  userId: string;
  tiles: readonly Tile[];
  timeZone: string;
  signal: AbortSignal;
}

/** Time for all tiles of a board, ms; those that are left then are not read. */
const TIME_MS = 120_000;
/** Largest text of a page of rows that is parsed here, UTF-16 units; only the number of rows of others is shown. */
const MAX_ROWS_TEXT = 256 * 1024;

async function readViewTile(
  context: Context,
  registry: ConnectorRegistry,
  { tile, userId, timeZone, signal, title }: Omit<TilesRequest, 'tiles'> & { tile: ViewTile; title: string },
): Promise<ReadTile> {
  const request = { userId, viewId: tile.viewId, parameters: undefined, signal };
  if (tile.picture === 'chart') {
    const data = await readViewChart(context, registry, { ...request, chart: tile.chart, timeZone });
    if (data.problem === null && data.chart.kind !== 'table' && data.chart.kind !== 'text')
      return { kind: 'chart', title, data };
  }
  const { text, count } = await readViewPage(context, registry, { ...request, page: 1 });
  const rows = text.length > MAX_ROWS_TEXT ? [] : (JSON.parse(text) as unknown[]);
  return { kind: 'rows', title, rows, count };
}

/** Reads what the tiles of a board show, one after another. A tile that fails, or for which no time is left, says why. */
export async function readTiles(
  context: Context,
  registry: ConnectorRegistry,
  request: TilesRequest,
): Promise<ReadTile[]> {
  const views = await selectViews(context.db, request.userId, viewIdsOf(request.tiles));
  const read: ReadTile[] = [];
  const deadline = performance.now() + TIME_MS;
  for (const tile of request.tiles) {
    if (tile.kind === 'text') read.push({ kind: 'text', text: tile.text });
    else if (tile.kind === 'search') read.push({ kind: 'search', title: tile.title || tile.search });
    else {
      const view = views.get(tile.viewId);
      const title = tile.title || view?.title || 'View';
      if (!view) {
        read.push({ kind: 'failure', title, message: 'The view was deleted.' });
        continue;
      }
      if (performance.now() > deadline) {
        read.push({ kind: 'failure', title, message: 'The tiles before this one took too long.' });
        continue;
      }
      const shown = { ...tile, chart: tile.chart ?? view.display?.chart };
      read.push(
        await readViewTile(context, registry, { ...request, tile: shown, title }).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          return { kind: 'failure', title, message: error.message } as const;
        }),
      );
    }
  }
  return read;
}
