import { BOARD_COLUMNS, type Tile } from '@datadeck/contract';
import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { movedTo, resizedTo } from './arrange-tiles.ts';
import { GAP, ROW_HEIGHT } from './grid-size.ts';
import type { BoardDraft } from './use-board-draft.ts';

/** Near the upper or lower edge of what scrolls, dragging scrolls it, px. */
const EDGE = 56;
const SCROLL_STEP = 12;

/** How one tile is arranged. */
export interface TileArrangement {
  isDragged: boolean;
  /** Moves the tile by a number of places. */
  onMove: (places: number) => void;
  onResize: (columns: number, rows: number) => void;
  onDragStart: (event: ReactPointerEvent) => void;
  onResizeStart: (event: ReactPointerEvent) => void;
  onEdit: () => void;
  onRemove: () => void;
}

interface ArrangementOptions {
  draft: BoardDraft;
  grid: RefObject<HTMLElement | null>;
  onEdit: (tile: Tile) => void;
}

/** Returns the id of the tile at a point of the window. */
function tileAt(x: number, y: number): string | undefined {
  const tile = document.elementFromPoint(x, y)?.closest('[data-tile]');
  return tile instanceof HTMLElement ? tile.dataset.tile : undefined;
}

/** Returns the nearest element around one that scrolls. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let at = element.parentElement; at; at = at.parentElement)
    if (at.scrollHeight > at.clientHeight && getComputedStyle(at).overflowY !== 'visible') return at;
  return document.documentElement;
}

function scrollAtEdge(element: HTMLElement | null, y: number): void {
  if (!element) return;
  const scroller = scrollerOf(element);
  const { top, bottom } = scroller.getBoundingClientRect();
  if (y < Math.max(0, top) + EDGE) scroller.scrollBy(0, -SCROLL_STEP);
  else if (y > Math.min(window.innerHeight, bottom) - EDGE) scroller.scrollBy(0, SCROLL_STEP);
}

/** Follows a pointer until it is lifted; Escape or a lost pointer ends the gesture, too. */
function follow(start: ReactPointerEvent, onMove: (event: PointerEvent) => void, onEnd: () => void): void {
  const ending = new AbortController();
  const { signal } = ending;
  const end = () => {
    ending.abort();
    onEnd();
  };
  const isSame = (event: PointerEvent) => event.pointerId === start.pointerId;
  window.addEventListener('pointermove', (event) => isSame(event) && onMove(event), { signal });
  window.addEventListener('pointerup', (event) => isSame(event) && end(), { signal });
  window.addEventListener('pointercancel', (event) => isSame(event) && end(), { signal });
  window.addEventListener('keydown', (event) => event.key === 'Escape' && end(), { signal });
}

/** Moves and resizes tiles by pointer and by keyboard. What happened is also said (`message`). */
export function useArrangement({ draft, grid, onEdit }: ArrangementOptions) {
  const [dragged, setDragged] = useState<string>();
  const [message, setMessage] = useState('');
  const focused = useRef<string>(undefined);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
    // A tile that moves in the document loses the focus.
    const id = focused.current;
    focused.current = undefined;
    const handle =
      id === undefined ? null : grid.current?.querySelector(`[data-tile="${id}"] [data-move-tile]`);
    if (handle instanceof HTMLElement) handle.focus();
  });

  function startDrag({ id }: Tile, start: ReactPointerEvent) {
    if (start.button !== 0) return;
    setDragged(id);
    let over: string | undefined = id;
    follow(
      start,
      ({ clientX, clientY }) => {
        scrollAtEdge(grid.current, clientY);
        const target = tileAt(clientX, clientY);
        if (target === over) return;
        over = target;
        const { tiles, change } = latest.current;
        const to = tiles.findIndex((tile) => tile.id === target);
        if (target !== id && to >= 0) change({ tiles: movedTo(tiles, id, to) }, { isLast: false });
      },
      () => {
        setDragged(undefined);
        latest.current.change({});
      },
    );
  }

  function startResize({ id, width, height }: Tile, start: ReactPointerEvent) {
    const all = grid.current?.clientWidth;
    if (start.button !== 0 || all === undefined) return;
    const column = (all + GAP) / BOARD_COLUMNS;
    setDragged(id);
    follow(
      start,
      ({ clientX, clientY }) => {
        const size = {
          width: width + (clientX - start.clientX) / column,
          height: height + (clientY - start.clientY) / (ROW_HEIGHT + GAP),
        };
        const { tiles, change } = latest.current;
        change({ tiles: resizedTo(tiles, id, size) }, { isLast: false });
      },
      () => {
        setDragged(undefined);
        latest.current.change({});
      },
    );
  }

  function move({ id }: Tile, places: number) {
    const tiles = movedTo(draft.tiles, id, draft.tiles.findIndex((tile) => tile.id === id) + places);
    draft.change({ tiles });
    focused.current = id;
    setMessage(`Place ${tiles.findIndex((tile) => tile.id === id) + 1} of ${tiles.length}`);
  }

  function resize({ id, width, height }: Tile, columns: number, rows: number) {
    const tiles = resizedTo(draft.tiles, id, { width: width + columns, height: height + rows });
    draft.change({ tiles });
    const now = tiles.find((tile) => tile.id === id);
    setMessage(`${now?.width} of ${BOARD_COLUMNS} columns, ${now?.height} rows`);
  }

  const of = (tile: Tile): TileArrangement => ({
    isDragged: dragged === tile.id,
    onMove: (places) => move(tile, places),
    onResize: (columns, rows) => resize(tile, columns, rows),
    onDragStart: (event) => startDrag(tile, event),
    onResizeStart: (event) => startResize(tile, event),
    onEdit: () => onEdit(tile),
    onRemove: () => draft.change({ tiles: draft.tiles.filter(({ id }) => id !== tile.id) }),
  });
  return { of, message };
}
