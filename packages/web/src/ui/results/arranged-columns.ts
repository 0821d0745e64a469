import { COLUMN_BOUNDS, type ColumnLayout } from '@datadeck/contract';
import type { Column } from '@datadeck/contract/table-columns';

/** The order, widths and absence of columns, as the reader chose. */
export interface ColumnChoice {
  /** Empty: all columns in their own order. */
  layout: ColumnLayout;
  onLayout: (layout: ColumnLayout) => void;
  /** Whether an empty choice means a layout that is stored elsewhere, not all columns. */
  isStored?: boolean;
}

/** A column at its place in a layout. */
export interface ArrangedColumn extends Column {
  isHidden: boolean;
  /** Width, px; absent: as wide as the content. */
  width?: number | undefined;
}

/** Returns all columns in the order of a layout; columns that it does not name come last. */
export function arrange(columns: readonly Column[], layout: ColumnLayout = []): ArrangedColumn[] {
  const placeOf = new Map(layout.map(({ name }, index) => [name, index]));
  const last = layout.length;
  return columns
    .map((column) => {
      const kept = layout[placeOf.get(column.name) ?? last];
      return { ...column, isHidden: kept?.isHidden ?? false, width: kept?.width };
    })
    .sort((a, b) => (placeOf.get(a.name) ?? last) - (placeOf.get(b.name) ?? last));
}

/** Returns the columns that are not hidden; all of them if nothing else is left. */
export function visibleOf(arranged: readonly ArrangedColumn[]): readonly ArrangedColumn[] {
  const visible = arranged.filter(({ isHidden }) => !isHidden);
  return visible.length > 0 ? visible : arranged;
}

/** Returns whether a layout can keep a column: its name is short enough, and text that the server can store. */
export function canKeep({ name }: Column): boolean {
  return name.length <= COLUMN_BOUNDS.name && name.isWellFormed() && !name.includes('\0');
}

/** Returns whether two layouts show columns in the same way. */
export function isSameLayout(one: ColumnLayout, other: ColumnLayout): boolean {
  const textOf = (layout: ColumnLayout) =>
    JSON.stringify(layout.map(({ name, isHidden = false, width = null }) => [name, isHidden, width]));
  return textOf(one) === textOf(other);
}

/** Returns the layout that shows all columns in their own order. */
export function plainLayout(columns: readonly Column[]): ColumnLayout {
  return layoutOf(arrange(columns), []);
}

/** Returns the layout of columns; columns of other pages that `former` names come last. */
function layoutOf(arranged: readonly ArrangedColumn[], former: ColumnLayout): ColumnLayout {
  const names = new Set(arranged.map(({ name }) => name));
  return [
    ...arranged.filter(canKeep).map(({ name, isHidden, width }) => ({
      name,
      ...(isHidden && { isHidden }),
      ...(width !== undefined && { width }),
    })),
    ...former.filter(({ name }) => !names.has(name)),
  ].slice(0, COLUMN_BOUNDS.columns);
}

/** Returns a layout in which a column is shown or hidden. */
export function withHidden(
  arranged: readonly ArrangedColumn[],
  former: ColumnLayout,
  [name, isHidden]: [name: string, isHidden: boolean],
): ColumnLayout {
  return layoutOf(
    arranged.map((column) => (column.name === name ? { ...column, isHidden } : column)),
    former,
  );
}

/** Returns a layout in which a column has a width, px; undefined: as wide as its content. */
export function withWidth(
  arranged: readonly ArrangedColumn[],
  former: ColumnLayout,
  [name, width]: [name: string, width: number | undefined],
): ColumnLayout {
  const kept = width === undefined ? undefined : clampWidth(width);
  return layoutOf(
    arranged.map((column) => (column.name === name ? { ...column, width: kept } : column)),
    former,
  );
}

/** Returns a layout in which a column is at the place of another one. */
export function withPlace(
  arranged: readonly ArrangedColumn[],
  former: ColumnLayout,
  [name, at]: [name: string, at: string],
): ColumnLayout {
  const from = arranged.findIndex((column) => column.name === name);
  const to = arranged.findIndex((column) => column.name === at);
  const column = arranged[from];
  if (column === undefined || to < 0) return layoutOf(arranged, former);
  return layoutOf(arranged.toSpliced(from, 1).toSpliced(to, 0, column), former);
}

/** Returns the nearest width that a column can have, px. */
export function clampWidth(width: number): number {
  return Math.round(Math.min(COLUMN_BOUNDS.maxWidth, Math.max(COLUMN_BOUNDS.minWidth, width)));
}
