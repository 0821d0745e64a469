import type { ChartData, SharedViewTile } from '@datadeck/contract';
import { ChartNoAxesColumn, SearchX } from 'lucide-react';
import { useRef } from 'react';
import type { PictureHandle } from '../../ui/charts/picture-items.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { chartHeight } from '../board-page/grid-size.ts';
import { TileFrame } from '../board-page/tile-frame.tsx';
import { ChartContent } from '../charts/chart-content.tsx';
import { useSharedChartQuery } from './shared-api.ts';
import { SharedRows } from './shared-rows.tsx';
import { TileDownloads } from './tile-downloads.tsx';
import { TileFailure } from './tile-failure.tsx';

interface SharedTileProps {
  tile: SharedViewTile;
  /** Whether it is the whole page, which is as high as its content, rather than a tile of a board. */
  isWhole?: boolean;
}

/** The rows of a view as a chart, a table or a list. */
export function SharedTile({ tile, isWhole = false }: SharedTileProps) {
  if (tile.picture === 'chart') return <ChartTile tile={tile} isWhole={isWhole} />;
  const { id, title } = tile;
  // The page has the title already.
  const name = isWhole ? 'Rows' : title;
  return (
    <TileFrame
      title={name}
      aside={<TileDownloads tileId={id} title={title} name={name} />}
      arrangement={undefined}
    >
      <SharedRows tile={tile} isWhole={isWhole} />
    </TileFrame>
  );
}

/** Returns whether a chart has a drawing that can be saved. */
function hasDrawing({ problem, chart: { kind } }: ChartData): boolean {
  return problem === null && !['number', 'table', 'text'].includes(kind);
}

function NoPicture({ hasRows }: { hasRows: boolean }) {
  if (!hasRows) return <EmptyState icon={<SearchX size={20} />} title="No rows" />;
  return (
    <EmptyState
      icon={<ChartNoAxesColumn size={20} />}
      title="There is nothing to draw"
      hint="The rows do not have what this picture shows. They can be downloaded."
    />
  );
}

function ChartTile({ tile, isWhole }: { tile: SharedViewTile; isWhole: boolean }) {
  const { id: tileId, title, height } = tile;
  const name = isWhole ? 'Chart' : title;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const loaded = useSharedChartQuery({ tileId, timeZone });
  const picture = useRef<PictureHandle>(null);
  const { data, error } = loaded;
  const isSaved = data !== undefined && error === undefined && hasDrawing(data);
  const isRows = data?.chart.kind === 'table' || data?.chart.kind === 'text';
  return (
    <TileFrame
      title={name}
      aside={
        <TileDownloads
          tileId={tileId}
          title={title}
          name={name}
          readPicture={isSaved ? () => picture.current : undefined}
        />
      }
      arrangement={undefined}
      isPadded={!isRows}
    >
      {error !== undefined ? (
        <TileFailure error={error} busy={loaded.isFetching} onRetry={loaded.refetch} />
      ) : data && data.problem !== null ? (
        <NoPicture hasRows={data.problem !== 'no-rows'} />
      ) : (
        <ChartContent
          loaded={loaded}
          title={title}
          isTile={!isWhole}
          height={isWhole ? undefined : chartHeight(height)}
          handle={picture}
          renderRows={() => <SharedRows tile={tile} isWhole={isWhole} />}
        />
      )}
    </TileFrame>
  );
}
