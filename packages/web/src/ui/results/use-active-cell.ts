import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';

/** The indexes of a cell in the shown rows and columns. */
export interface CellPlace {
  row: number;
  column: number;
}

const STEPS: Readonly<Record<string, CellPlace>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

interface Cells {
  rows: number;
  columns: number;
  /** Whether a cell can be the active one. */
  isUsable: (place: CellPlace) => boolean;
}

/** Returns the next usable cell from a place on, in a direction. */
function nextCell(
  { rows, columns, isUsable }: Cells,
  from: CellPlace,
  step: CellPlace,
): CellPlace | undefined {
  for (let { row, column } = from; ; ) {
    row += step.row;
    column += step.column;
    if (row < 0 || column < 0 || row >= rows || column >= columns) return undefined;
    if (isUsable({ row, column })) return { row, column };
  }
}

/** Returns the first usable cell. */
function firstCell({ rows, columns, isUsable }: Cells): CellPlace | undefined {
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) if (isUsable({ row, column })) return { row, column };
  return undefined;
}

/** Returns the place of the cell that contains an element, from the cell's `data-row` and `data-column`. */
function placeOf(target: EventTarget): CellPlace | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td[data-column]') : null;
  return cell ? { row: Number(cell.dataset.row), column: Number(cell.dataset.column) } : undefined;
}

/**
 * Keeps which cell of a table has the button `[data-filter]`: the one below the pointer, or the one that the arrow keys
 * reached. So the button of all cells is one stop of the Tab key.
 */
export function useActiveCell(cells: Cells) {
  const table = useRef<HTMLTableSectionElement>(null);
  const [place, setPlace] = useState<CellPlace>();
  const isMovedByKey = useRef(false);
  const button = () => table.current?.querySelector<HTMLElement>('[data-filter]');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the button is another one after each move
  useLayoutEffect(() => {
    if (isMovedByKey.current) button()?.focus();
    isMovedByKey.current = false;
  }, [place]);
  const isThere = place && place.row < cells.rows && place.column < cells.columns && cells.isUsable(place);
  const active = isThere ? place : firstCell(cells);
  return {
    active,
    body: {
      ref: table,
      onPointerOver: ({ target }: PointerEvent) => {
        const found = placeOf(target);
        // The focus of the keyboard stays.
        if (!found || !cells.isUsable(found) || button()?.matches(':focus-visible')) return;
        setPlace(found);
      },
      onKeyDown: (event: KeyboardEvent) => {
        const step = STEPS[event.key];
        if (!step || !active || event.target !== button()) return;
        event.preventDefault();
        const next = nextCell(cells, active, step);
        if (!next) return;
        isMovedByKey.current = true;
        setPlace(next);
      },
    },
  };
}
