import type { SQL } from 'drizzle-orm';

/** A shipped aggregation over the records of one entity. */
export interface TemplateDefinition {
  key: string;
  entity: string;
  title: string;
  description: string;
  /**
   * A select over the relation `r` (see `overRecords`) that yields one column `row` (json, or its text) and is
   * ordered totally, so that pages are stable.
   */
  rows: SQL;
  /** Set where each row is a whole document: how they are ordered. */
  documentsBy?: SQL;
}
