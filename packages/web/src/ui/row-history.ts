/** Opens the history of rows. */
export interface RowHistory {
  /** Returns the row's name; undefined when it has no history. */
  nameOf: (row: unknown) => string | undefined;
  onOpen: (row: unknown) => void;
  /** Opens the reading view of a row; absent if rows have none. */
  onRead?: ((row: unknown) => void) | undefined;
  /** Whether a click anywhere on a row of a table opens its reading view, too. */
  isOpenedByRow?: boolean | undefined;
}
