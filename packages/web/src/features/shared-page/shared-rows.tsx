import { type ColumnLayout, PAGE_SIZES, type SharedViewTile } from '@datadeck/contract';
import { ACCOUNT_FIELDS, preferredInResult } from '@datadeck/contract/table-columns';
import { SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { errorOf } from '../../api/failure.ts';
import { classNames } from '../../ui/class-names.ts';
import { countOf } from '../../ui/duration.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { pageCount } from '../../ui/page-window.ts';
import { Pagination } from '../../ui/pagination.tsx';
import { DataTable } from '../../ui/results/data-table.tsx';
import { RecordList } from '../../ui/results/record-list.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useLastPage } from '../../ui/use-last-page.ts';
import { useSharedRowsQuery } from './shared-api.ts';
import { TileFailure } from './tile-failure.tsx';

interface SharedRowsProps {
  tile: SharedViewTile;
  /** Whether the rows are all that the page shows: they can then be sorted, and are as high as the window. */
  isWhole: boolean;
}

/** The rows of a tile in pages, as a table or a list. */
export function SharedRows({ tile, isWhole }: SharedRowsProps) {
  const [page, setPage] = useState(1);
  const [sort, setSort] = useState('');
  const [layout, setLayout] = useState<ColumnLayout>(tile.columns);
  const isNarrow = useIsNarrow();
  const { data, currentData, error, isFetching, refetch } = useSharedRowsQuery({
    tileId: tile.id,
    page,
    ...(sort !== '' && { sort }),
  });
  const known = currentData && pageCount(currentData.count, PAGE_SIZES.results);
  useLastPage(page, known, setPage);
  const sorting = {
    sort,
    onSort: (next: string) => {
      setSort(next);
      setPage(1);
    },
  };
  const isUnsortable = sort !== '' && errorOf(error)?.code === 'share-unreadable';
  useEffect(() => {
    if (!isUnsortable) return;
    toasts.error('The rows cannot be sorted by this column.');
    setSort('');
  }, [isUnsortable]);
  // The last rows stay until the next ones are there.
  const shown = currentData ?? data;
  if (error !== undefined && !isUnsortable)
    return <TileFailure error={error} busy={isFetching} onRetry={refetch} />;
  if (!shown) return <LoadingRows rows={3} />;
  if (shown.results.length === 0) return <EmptyState icon={<SearchX size={20} />} title="No rows" />;
  const preferred = preferredInResult(shown.results, tile.preferred);
  const isList = tile.picture === 'list' || isNarrow;
  const Rows = isList ? RecordList : DataTable;
  const total = pageCount(shown.count, PAGE_SIZES.results);
  const heightOfWhole = isList ? '' : 'max-h-[max(20rem,calc(100dvh-14rem))]';
  return (
    <div className="flex h-full min-h-0 flex-col" aria-busy={isFetching}>
      <Rows
        rows={shown.results}
        {...(preferred && { preferred })}
        label={`Rows of ${tile.title}`}
        hidden={ACCOUNT_FIELDS}
        columnChoice={{ layout, onLayout: setLayout }}
        sorting={isWhole ? sorting : undefined}
        className={classNames(
          isWhole ? heightOfWhole : 'min-h-0 flex-1',
          isFetching && !currentData && 'opacity-60',
        )}
      />
      <div className="flex min-h-10 shrink-0 flex-wrap items-center justify-between gap-x-4 border-t px-3 py-1 text-12 text-ink-3">
        <span className="tabular-nums">{countOf(shown.count, 'row')}</span>
        {total > 1 && (
          <Pagination label={`Pages of ${tile.title}`} page={page} total={total} onChange={setPage} />
        )}
      </div>
    </div>
  );
}
