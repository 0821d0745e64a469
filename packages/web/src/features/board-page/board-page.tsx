import { LayoutDashboard, Plus, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import { useSearchState } from '../../address/search-state.ts';
import { causeOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import {
  type AddedReadyBoard,
  useBoardQuery,
  useBoardsQuery,
  useCreateBoardMutation,
} from '../boards/boards-api.ts';
import { nameProblem } from '../boards/name-problem.ts';
import { SharedWithMeLink } from '../invitations/shared-with-me-link.tsx';
import { useAllViewsQuery } from '../views/views-api.ts';
import { AddedNotice, ReadyBoardList, ReadyBoardsDialog } from './ready-boards.tsx';
import { ShownBoard } from './shown-board.tsx';

/** The Boards screen: the boards by title, and the chosen one. */
export function BoardPage() {
  const search = useSearchState();
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const boards = useBoardsQuery();
  const views = useAllViewsQuery();
  const [createBoard, creation] = useCreateBoardMutation();
  const [dialog, setDialog] = useState<'none' | 'new' | 'ready'>('none');
  const [added, setAdded] = useState<AddedReadyBoard>();
  const chosen = search.get('board') || boards.data?.[0]?.id || '';
  const board = useBoardQuery(chosen, { skip: chosen === '' });
  const shown = board.currentData ?? (board.data?.id === chosen ? board.data : undefined);

  const showAdded = (next: AddedReadyBoard) => {
    setDialog('none');
    setAdded(next);
    search.set({ board: next.board.id });
  };
  const create = (
    <Button
      variant="primary"
      icon={<Plus size={14} />}
      disabled={!mayChange}
      title={forbidden}
      onClick={() => setDialog('new')}
    >
      New Board
    </Button>
  );
  const tabs = (
    <nav aria-label="Boards" className="-mb-px flex min-w-0 gap-1 overflow-x-auto print:hidden">
      {(boards.data ?? []).map(({ id, title }) => (
        <Link
          key={id}
          to={withSearch(PATHS.boards, { board: id })}
          aria-current={id === chosen ? 'page' : undefined}
          className="inline-flex h-8 max-w-60 shrink-0 items-center rounded-sm px-3 text-13 font-medium text-ink-2 hover:bg-hover aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-text touch:h-10"
        >
          <bdi className="truncate">{title}</bdi>
        </Link>
      ))}
    </nav>
  );
  return (
    <>
      <div className="print:hidden">
        <PageHeader
          title="Boards"
          description="Views, searches and notes side by side. They load again by themselves when your data change."
          actions={
            <>
              <SharedWithMeLink />
              {(boards.data?.length ?? 0) > 0 && (
                <Button
                  icon={<Sparkles size={14} />}
                  disabled={!mayChange}
                  title={forbidden}
                  onClick={() => setDialog('ready')}
                >
                  Ready-made
                </Button>
              )}
              {create}
            </>
          }
        />
      </div>
      {boards.error !== undefined && (
        <LoadFailure
          sentence="The boards could not be loaded."
          detail={causeOf(boards.error)}
          busy={boards.isFetching}
          onRetry={boards.refetch}
        />
      )}
      {boards.data?.length === 0 && (
        <Card flush>
          <EmptyState
            icon={<LayoutDashboard size={20} />}
            title="There are no boards yet"
            hint="A board shows what you look at every day on one page: views as charts, tables or lists, searches and notes."
            action={
              <Button disabled={!mayChange} title={forbidden} onClick={() => setDialog('new')}>
                Create a board
              </Button>
            }
          />
          <div className="border-t">
            <ReadyBoardList onAdded={showAdded} />
          </div>
        </Card>
      )}
      {chosen !== '' && board.error !== undefined && !shown && (
        <LoadFailure
          sentence="The board could not be loaded."
          detail={causeOf(board.error)}
          busy={board.isFetching}
          onRetry={board.refetch}
        />
      )}
      {!shown && board.error === undefined && boards.error === undefined && boards.data?.length !== 0 && (
        <>
          <div className="mb-4 border-b pb-2">{tabs}</div>
          <Card flush>
            <LoadingRows rows={6} />
          </Card>
        </>
      )}
      {added && shown?.id === added.board.id && (
        <div className="mb-4 print:hidden">
          <AddedNotice added={added} />
        </div>
      )}
      {shown && (
        <ShownBoard
          key={shown.id}
          board={shown}
          views={views.data}
          search={search}
          tabs={tabs}
          onDeleted={() => search.set({ board: null })}
        />
      )}
      {dialog === 'ready' && <ReadyBoardsDialog onAdded={showAdded} onClose={() => setDialog('none')} />}
      {dialog === 'new' && (
        <NameDialog
          title="New board"
          name=""
          required
          problemOf={nameProblem}
          hint={undefined}
          isSaving={creation.isLoading}
          error={creation.error}
          onSave={async (title) => {
            const { data } = await createBoard({ title, tiles: [] });
            if (data) search.set({ board: data.id });
            return data !== undefined;
          }}
          onClose={() => setDialog('none')}
        />
      )}
    </>
  );
}
