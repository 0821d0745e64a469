import { type Tile, viewIdsOf } from '@datadeck/contract';
import {
  Check,
  Ellipsis,
  Layers,
  LayoutDashboard,
  Mail,
  Maximize,
  Move,
  Pencil,
  Plus,
  Printer,
  Search,
  Trash2,
  Type,
  Undo2,
} from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { SearchState } from '../../address/search-state.ts';
import { causeOf } from '../../api/failure.ts';
import type { View } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { toasts } from '../../ui/toast.tsx';
import { type Board, useDeleteBoardMutation, useMailBoardMutation } from '../boards/boards-api.ts';
import { nameProblem } from '../boards/name-problem.ts';
import { newSearchTile, newTextTile, newViewTile } from '../boards/new-tile.ts';
import { ShareButton } from '../sharing/share-button.tsx';
import { useTimeZone } from '../sign-in/use-time-zone.ts';
import { BoardGrid } from './board-grid.tsx';
import { BoardParameters, parametersOf } from './board-parameters.tsx';
import { printOnOnePage } from './print.ts';
import { TileDialog } from './tile-dialog.tsx';
import { useArrangement } from './use-arrangement.ts';
import { type BoardDraft, useBoardDraft } from './use-board-draft.ts';

interface ShownBoardProps {
  board: Board;
  /** Undefined while they load. */
  views: readonly View[] | undefined;
  search: SearchState;
  /** The choice of a board. */
  tabs: ReactNode;
  onDeleted: () => void;
}

type Editing = { tile: Tile; isNew: boolean };

/** Returns the views that the tiles show. */
function viewsOn(tiles: readonly Tile[], views: readonly View[]): View[] {
  const ids = new Set(viewIdsOf(tiles));
  return views.filter(({ id }) => ids.has(id));
}

/** Returns why a board cannot be shared now; undefined when it can. */
function shareBlockedReason(tiles: readonly Tile[], views: readonly View[] | undefined): string | undefined {
  if (!views) return 'The views are loading';
  return tiles.some(({ kind }) => kind !== 'search') ? undefined : 'Add a view or a text first';
}

function withTile({ tiles }: BoardDraft, { tile, isNew }: Editing): Tile[] {
  return isNew ? [...tiles, tile] : tiles.map((one) => (one.id === tile.id ? tile : one));
}

/** A board with its tiles, and what can be done with it. */
export function ShownBoard({ board, views, search, tabs, onDeleted }: ShownBoardProps) {
  const draft = useBoardDraft(board);
  const screen = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLElement>(null);
  const timeZone = useTimeZone();
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [deleteBoard] = useDeleteBoardMutation();
  const [mailBoard] = useMailBoardMutation();
  const [isArranging, setIsArranging] = useState(false);
  const [isRenaming, setIsRenaming] = useState(false);
  const [editing, setEditing] = useState<Editing>();
  const arrangement = useArrangement({ draft, grid, onEdit: (tile) => setEditing({ tile, isNew: false }) });
  const parameterText = (name: string) => search.get(`p.${name}`);
  const shownViews = viewsOn(draft.tiles, views ?? []);
  const parameters = parametersOf(shownViews);
  const add = (tile: Tile) => setEditing({ tile, isNew: true });

  async function askDelete() {
    const message = 'Are you sure you want to delete this board?';
    if (!(await confirmDeletion(`Delete "${draft.title}"`, message, 'Its views stay.'))) return;
    const { error } = await deleteBoard(board.id);
    if (!error) onDeleted();
  }

  async function changeMail() {
    const weekly = !board.weeklyMail;
    const { error } = await mailBoard({ boardId: board.id, weekly });
    if (error) toasts.error(causeOf(error));
    else toasts.success(weekly ? 'Mailed to you on Mondays at 7:00' : 'The weekly mail is stopped');
  }

  const additions = [
    { label: 'View', icon: <Layers size={14} />, onSelect: () => add(newViewTile('', 'chart')) },
    { label: 'Text', icon: <Type size={14} />, onSelect: () => add(newTextTile('')) },
    { label: 'Search', icon: <Search size={14} />, onSelect: () => add(newSearchTile('')) },
  ];
  const more = [
    {
      label: 'Rename',
      icon: <Pencil size={14} />,
      disabled: !mayChange,
      title: forbidden,
      onSelect: () => setIsRenaming(true),
    },
    {
      label: 'Full screen',
      icon: <Maximize size={14} />,
      onSelect: () => void screen.current?.requestFullscreen(),
    },
    {
      label: board.weeklyMail ? 'Stop the weekly mail' : 'Mail it weekly',
      icon: <Mail size={14} />,
      disabled: !mayChange,
      title: forbidden,
      onSelect: () => void changeMail(),
    },
    {
      label: 'Print',
      icon: <Printer size={14} />,
      onSelect: () => screen.current && printOnOnePage(screen.current),
    },
    {
      label: 'Delete',
      icon: <Trash2 size={14} />,
      danger: true,
      separated: true,
      disabled: !mayChange,
      title: forbidden,
      onSelect: () => void askDelete(),
    },
  ];

  return (
    <div ref={screen} className="bg-canvas fullscreen:overflow-auto fullscreen:p-6">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2 border-b pb-2">
        <h2 dir="auto" className="sr-only text-16 font-semibold print:not-sr-only">
          {draft.title}
        </h2>
        {tabs}
        <span className="ml-auto flex items-center gap-2 print:hidden">
          {isArranging && (
            <Button
              icon={<Undo2 size={14} />}
              disabled={!draft.canUndo}
              onClick={draft.undo}
              aria-label="Undo the last change"
            >
              Undo
            </Button>
          )}
          <Menu
            trigger={
              <Button icon={<Plus size={14} />} disabled={!mayChange} title={forbidden}>
                Add
              </Button>
            }
            items={additions}
          />
          {draft.tiles.length > 0 && (
            <Button
              variant={isArranging ? 'primary' : 'secondary'}
              icon={isArranging ? <Check size={14} /> : <Move size={14} />}
              disabled={!mayChange}
              title={forbidden}
              onClick={() => setIsArranging(!isArranging)}
            >
              {isArranging ? 'Done' : 'Arrange'}
            </Button>
          )}
          <ShareButton
            shared={{
              kind: 'board',
              id: board.id,
              title: draft.title,
              inputs: parameters,
              textOf: parameterText,
              tiles: {
                views: shownViews.length,
                searches: draft.tiles.filter(({ kind }) => kind === 'search').length,
              },
            }}
            disabledReason={shareBlockedReason(draft.tiles, views)}
          />
          <Menu trigger={<IconButton label="More" icon={<Ellipsis size={16} />} />} items={more} />
        </span>
      </div>
      <BoardParameters
        parameters={parameters}
        timeZone={timeZone}
        textOf={parameterText}
        onChange={(name, text) => search.set({ [`p.${name}`]: text }, { replace: true })}
      />
      <span aria-live="polite" className="sr-only">
        {arrangement.message}
      </span>
      {draft.tiles.length === 0 ? (
        <Card flush>
          <EmptyState
            icon={<LayoutDashboard size={20} />}
            title="The board is empty"
            hint="Add a view as a chart, a table or a list, a text, or a search."
            action={
              <Menu
                align="start"
                trigger={
                  <Button variant="primary" icon={<Plus size={14} />} disabled={!mayChange} title={forbidden}>
                    Add a tile
                  </Button>
                }
                items={additions}
              />
            }
          />
        </Card>
      ) : (
        <BoardGrid
          grid={grid}
          title={draft.title}
          tiles={draft.tiles}
          views={views}
          parameterText={parameterText}
          arrangementOf={isArranging ? arrangement.of : undefined}
        />
      )}
      {editing && (
        <TileDialog
          {...editing}
          views={views ?? []}
          onSave={(tile) => draft.change({ tiles: withTile(draft, { ...editing, tile }) })}
          onClose={() => setEditing(undefined)}
        />
      )}
      {isRenaming && (
        <NameDialog
          title="Rename board"
          name={draft.title}
          required
          problemOf={nameProblem}
          hint={undefined}
          isSaving={draft.isSaving}
          error={undefined}
          onSave={async (title) => {
            draft.change({ title });
            return true;
          }}
          onClose={() => setIsRenaming(false)}
        />
      )}
    </div>
  );
}
