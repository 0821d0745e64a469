import { type SQL, sql } from 'drizzle-orm';
import type { Path } from './condition.ts';

/**
 * A field of the documents that the database also has as a column. Wherever the field is a value of the kind, the column
 * holds the same, except in records that are `unsure`; and it is of that kind in all records that are sure and have it.
 */
export interface Column {
  readonly path: Path;
  readonly kind: 'text' | 'number' | 'instant' | 'list';
  /** Text for text and instants, double precision for numbers, jsonb for lists. */
  readonly value: SQL;
  /** Whether the column may not tell: the connector puts something in the place of what is missing or odd. */
  readonly unsure?: SQL;
  /** Texts equal to the column's are all that can be concluded. */
  readonly equalityOnly?: true;
}

const facet = (name: string): SQL => sql.raw(`facets->>'${name}'`);
const facetNumber = (name: string): SQL => sql.raw(`number_or_null(facets->>'${name}')`);

/** Messages are written by the connector, so that their facets are the documents' own values. */
const MESSAGES: readonly Column[] = [
  { path: ['id'], kind: 'text', value: sql.raw('external_id') },
  { path: ['subject'], kind: 'text', value: facet('subject') },
  { path: ['threadId'], kind: 'text', value: facet('thread') },
  { path: ['from', 'name'], kind: 'text', value: facet('senderName') },
  { path: ['size'], kind: 'number', value: facetNumber('size') },
  { path: ['labelIds'], kind: 'list', value: sql.raw("facets->'labels'") },
  {
    path: ['date'],
    kind: 'instant',
    value: sql.raw(`to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`),
  },
];

/** Pull requests are kept as GitHub sent them; `packages/connectors/src/github/pull-record.ts` says what stands in. */
const PULLS: readonly Column[] = [
  {
    path: ['number'],
    kind: 'number',
    value: facetNumber('number'),
    unsure: sql.raw("number_or_null(facets->>'number') = 0"),
  },
  { path: ['title'], kind: 'text', value: facet('title'), unsure: sql.raw("facets->>'title' = ''") },
  {
    path: ['user', 'login'],
    kind: 'text',
    value: facet('author'),
    unsure: sql.raw("facets->>'author' = 'ghost'"),
  },
  {
    path: ['state'],
    kind: 'text',
    value: facet('state'),
    unsure: sql.raw("facets->>'state' in ('merged', 'unknown')"),
    equalityOnly: true,
  },
  {
    path: ['created_at'],
    kind: 'instant',
    value: facet('created'),
    unsure: sql.raw("facets->>'created' = facets->>'updated'"),
  },
  {
    path: ['updated_at'],
    kind: 'instant',
    value: facet('updated'),
    unsure: sql.raw("facets->>'created' = facets->>'updated'"),
  },
];

const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  'gmail-messages': MESSAGES,
  'gh-pulls': PULLS,
};

/** What an extraction before this version has left in the facets is not to be relied on: to be raised along with it. */
const RELIABLE_FROM = 1;

function withOldFacets(column: Column): Column {
  const old = sql.raw(`facets_version < ${RELIABLE_FROM}`);
  return { ...column, unsure: column.unsure ? sql`(${old} or ${column.unsure})` : old };
}

/** The columns of an entity. Records whose facets are of an older version are unsure. */
export function columnsOf(entity: string): readonly Column[] {
  return (COLUMNS[entity] ?? []).map(withOldFacets);
}

/** The column of a path, if there is one. */
export function columnOf(columns: readonly Column[], path: Path): Column | undefined {
  return columns.find((column) => column.path.join('\0') === path.join('\0'));
}
