/** What can be opened of a row as a whole. */
export interface RowHistory {
  /** The row's name; undefined: it has no history. */
  nameOf: (row: unknown) => string | undefined;
  onOpen: (row: unknown) => void;
}
