import type { SharedPage } from '@datadeck/contract';
import { Eye, LayoutDashboard, RefreshCw } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { causeOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Age, DateTime } from '../../ui/date-time.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { FramedText } from '../board-page/framed-text.tsx';
import { TileGrid } from '../board-page/tile-grid.tsx';
import { LoadingPage } from './loading-page.tsx';
import { PageFrame } from './page-frame.tsx';
import { ShareFailure } from './share-notice.tsx';
import { useSharedPageQuery } from './shared-api.ts';
import { SharedTile } from './shared-tile.tsx';
import { useRefresh } from './use-refresh.ts';

function PageTitle({ title, loadedAt }: { title: string; loadedAt: number | undefined }) {
  useEffect(() => {
    document.title = `${title} · Datadeck`;
  }, [title]);
  return (
    <div className="min-w-0">
      <h1 dir="auto" className="text-left text-20 font-semibold tracking-tight wrap-anywhere">
        {title}
      </h1>
      <p className="flex flex-wrap items-center gap-x-1.5 text-12 text-ink-3">
        <Eye aria-hidden="true" size={14} className="shrink-0" />
        Shared read-only
        {loadedAt !== undefined && (
          <span>
            · Loaded <Age iso={new Date(loadedAt).toISOString()} />
          </span>
        )}
      </p>
    </div>
  );
}

/** The tiles of a board on its grid; those of a view below each other, as high as they need. */
function Tiles({ page: { kind, title, tiles } }: { page: SharedPage }) {
  if (tiles.length === 0)
    return (
      <Card flush>
        <EmptyState
          icon={<LayoutDashboard size={20} />}
          title="There is nothing on this page yet"
          hint="What its owner adds appears here."
        />
      </Card>
    );
  if (kind === 'view')
    return tiles.map((tile) => tile.kind === 'view' && <SharedTile key={tile.id} tile={tile} isWhole />);
  return (
    <TileGrid
      title={title}
      tiles={tiles}
      renderTile={(tile) =>
        tile.kind === 'text' ? (
          <FramedText text={tile.text} arrangement={undefined} />
        ) : (
          <SharedTile tile={tile} />
        )
      }
    />
  );
}

/** What is shared, once the page is open. */
export function ShownPage({ mark }: { mark: ReactNode }) {
  const { data, error, isFetching, fulfilledTimeStamp, refetch } = useSharedPageQuery();
  const { refresh, isLoading } = useRefresh(fulfilledTimeStamp);
  if (!data)
    return error === undefined || isFetching ? (
      <LoadingPage mark={mark} />
    ) : (
      <PageFrame mark={mark}>
        <ShareFailure error={error} onRetry={refetch} />
      </PageFrame>
    );
  return (
    <PageFrame
      mark={mark}
      title={<PageTitle title={data.title} loadedAt={fulfilledTimeStamp} />}
      actions={
        <Button
          icon={<RefreshCw size={14} />}
          busy={isLoading}
          disabled={isLoading}
          onClick={refresh}
          className="print:hidden"
        >
          <span className="max-sm:sr-only">Refresh</span>
        </Button>
      }
      footer={
        data.expiresAt !== null && (
          <footer className="border-t pt-3 text-12 text-ink-3">
            This page is shared until <DateTime iso={data.expiresAt} />.
          </footer>
        )
      }
    >
      {error !== undefined && (
        <LoadFailure
          sentence="The page could not be loaded again."
          detail={causeOf(error)}
          busy={isFetching}
          onRetry={refresh}
        />
      )}
      <Tiles page={data} />
    </PageFrame>
  );
}
