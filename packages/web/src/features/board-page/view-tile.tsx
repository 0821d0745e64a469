import type { ViewTile as Tile } from '@datadeck/contract';
import { preferredInResult } from '@datadeck/contract/table-columns';
import { Layers, SearchX } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import { causeOf } from '../../api/failure.ts';
import type { View } from '../../api/models.ts';
import { countOf } from '../../ui/duration.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { DataTable } from '../../ui/results/data-table.tsx';
import { RecordList } from '../../ui/results/record-list.tsx';
import { withCondition } from '../../ui/results/value-filter.ts';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { ChartOfView } from '../charts/chart-of-view.tsx';
import { useAccountColumns } from '../connections/use-account-columns.ts';
import { givenParameters } from '../expressions/parameter-value.ts';
import { Sparkline } from '../views/sparkline.tsx';
import { useViewResultsQuery } from '../views/views-api.ts';
import { chartHeight } from './grid-size.ts';
import { TileFrame } from './tile-frame.tsx';
import { TileLink } from './tile-link.tsx';
import type { TileArrangement } from './use-arrangement.ts';

interface ViewTileProps {
  tile: Tile;
  /** Undefined while the views load, null when the view was deleted. */
  view: View | null | undefined;
  /** Returns the text of a parameter's value. */
  parameterText: (name: string) => string;
  arrangement: TileArrangement | undefined;
}

/** Returns the address of a view with the values of its parameters. @param filter selects rows */
function addressOf(
  { id, providerId, entityLabel, inputs }: View,
  textOf: (name: string) => string,
  filter = '',
): string {
  const values = inputs.map(({ name }) => [`p.${name}`, textOf(name)] as const);
  return withSearch(PATHS.views, {
    provider: providerId,
    entity: entityLabel,
    view: id,
    filter,
    ...Object.fromEntries(values),
  });
}

/** The rows of a view on a board. */
export function ViewTile({ tile, view, parameterText, arrangement }: ViewTileProps) {
  const title = tile.title || view?.title || 'View';
  if (view === null)
    return (
      <TileFrame title={title} arrangement={arrangement}>
        <EmptyState
          icon={<Layers size={20} />}
          title="The view was deleted"
          hint="Arrange the board to remove this tile, or undo the deletion of the view."
        />
      </TileFrame>
    );
  if (!view)
    return (
      <TileFrame title={title} arrangement={arrangement}>
        <LoadingRows rows={3} />
      </TileFrame>
    );
  const Loaded = tile.picture === 'chart' ? ChartTile : RowsTile;
  return (
    <Loaded title={title} tile={tile} view={view} parameterText={parameterText} arrangement={arrangement} />
  );
}

interface LoadedTileProps extends ViewTileProps {
  title: string;
  view: View;
}

/** A chart of all rows. A mark leads to its rows. */
function ChartTile({ title, tile, view, parameterText, arrangement }: LoadedTileProps) {
  const navigate = useNavigate();
  const [loadedAt, setLoadedAt] = useState<string>();
  const address = addressOf(view, parameterText);
  const parameters = givenParameters(view.inputs, parameterText);
  return (
    <TileFrame
      title={title}
      heading={<TileLink to={address} title={title} />}
      loadedAt={loadedAt}
      aside={<Sparkline viewId={view.id} parameters={parameters} />}
      arrangement={arrangement}
      isPadded
    >
      <ChartOfView
        isTile
        viewId={view.id}
        title={title}
        chart={tile.chart ?? view.display?.chart}
        parameters={parameters}
        height={chartHeight(tile.height)}
        onData={() => setLoadedAt(new Date().toISOString())}
        pickHint="Click to see the rows"
        onPick={({ condition, label }) => {
          if (condition === undefined) toasts.info(`${label} has no rows of its own: these are all rows`);
          void navigate(
            condition === undefined ? address : addressOf(view, parameterText, withCondition('', condition)),
          );
        }}
      />
    </TileFrame>
  );
}

/** The first rows as a table or a list. */
function RowsTile({ title, tile, view, parameterText, arrangement }: LoadedTileProps) {
  const { preferredColumns, hiddenColumns } = useAccountColumns([]);
  const sort = view.display?.sort;
  const parameters = givenParameters(view.inputs, parameterText);
  const { data, currentData, error, isFetching, fulfilledTimeStamp, refetch } = useViewResultsQuery({
    viewId: view.id,
    page: 1,
    parameters,
    ...(sort !== undefined && sort !== '' && { sort }),
  });
  // The last rows stay until the next ones are there.
  const shown = currentData ?? (error === undefined ? data : undefined);
  const preferred = shown && preferredInResult(shown.results, preferredColumns);
  const isNarrow = useIsNarrow();
  const Rows = tile.picture === 'list' || isNarrow ? RecordList : DataTable;
  const address = addressOf(view, parameterText);
  return (
    <TileFrame
      title={title}
      heading={<TileLink to={address} title={title} />}
      aside={<Sparkline viewId={view.id} parameters={parameters} />}
      loadedAt={fulfilledTimeStamp === undefined ? undefined : new Date(fulfilledTimeStamp).toISOString()}
      arrangement={arrangement}
    >
      {error !== undefined && (
        <div className="p-3">
          <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />
        </div>
      )}
      {!shown && error === undefined && <LoadingRows rows={3} />}
      {shown?.results.length === 0 && <EmptyState icon={<SearchX size={20} />} title="No rows" />}
      {shown && shown.results.length > 0 && (
        <div className="flex h-full min-h-0 flex-col">
          <Rows
            rows={shown.results}
            label={`Rows of ${title}`}
            {...(preferred && { preferred })}
            hidden={hiddenColumns}
            className="min-h-0 flex-1"
          />
          {shown.count > shown.results.length && (
            <p className="shrink-0 border-t px-3 py-2 text-12 text-ink-3">
              The first {shown.results.length} of{' '}
              <Link className="text-accent-text hover:underline" to={address}>
                {countOf(shown.count, 'row')}
              </Link>
            </p>
          )}
        </div>
      )}
    </TileFrame>
  );
}
