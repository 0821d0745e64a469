/** Opens the history of rows. */
export interface RowHistory {
  /** Returns the row's name; undefined when it has no history. */
  nameOf: (row: unknown) => string | undefined;
  onOpen: (row: unknown) => void;
}
