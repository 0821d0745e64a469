import { type SQL, sql } from 'drizzle-orm';

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
  /** Fields of the rows that people look at first, where their own order is not of use. */
  columns?: readonly string[];
}

/** An order by age, total. */
export const newestFirst = sql.raw('occurred_at desc, external_id desc');

/** An instant as text, ISO 8601 in UTC. @param column an expression of ours, never of a user's */
export const instantText = (column: string): SQL =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`);

/** The texts of a list in the facets, as rows; none where an older extraction left something else there. */
export const elementsOf = (facet: string): SQL =>
  sql.raw(
    `jsonb_array_elements_text(case jsonb_typeof(facets->'${facet}') when 'array' then facets->'${facet}' else '[]'::jsonb end)`,
  );
