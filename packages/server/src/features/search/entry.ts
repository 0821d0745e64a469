import { type EntityDefinition, SEARCH_WEIGHTS, type SearchDefinition } from '@datadeck/connectors';
import { facetOf, findSearchOperator } from '@datadeck/contract';

/** An entity whose records are searched. */
export type SearchedEntity = EntityDefinition & { search: SearchDefinition };

/** Returns the entities that declare a search. */
export function searchedEntities(entities: readonly EntityDefinition[]): SearchedEntity[] {
  return entities.filter((entity): entity is SearchedEntity => entity.search !== undefined);
}

/** Prefix of the word that marks the entries of a connection, so that the index finds them together with other words. */
export const CONNECTION_PREFIX = 'connection:';
/** Prefix of the word for the month of a record, e.g. `month:2026-11`. */
export const MONTH_PREFIX = 'month:';

/** Prefix of the words for the conversation of a record. */
export const CONVERSATION_PREFIX = 'conversation:';

/** Conditions of PL/pgSQL that a record causes, by the classes of `isRefusedData`; others are faults of the database. */
export const REFUSALS = [
  'data_exception',
  'integrity_constraint_violation',
  'program_limit_exceeded',
  'plpgsql_error',
  'internal_error',
].join(' or ');

/** Returns a text as a literal of SQL. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Bytes of the words of operators. `search_terms` leaves them room in the 1 MB of a `tsvector`. */
const MAX_OPERATOR_BYTES = 160_000;

/** Returns the expression for the words of operators, `text[]`, the most important ones first. */
function operatorWords({ words, names, states, conversation }: SearchDefinition): string {
  const all = [
    `array[${quoted(CONNECTION_PREFIX)} || r.connection_id, ${quoted(MONTH_PREFIX)} || to_char(r.occurred_at at time zone 'UTC', 'YYYY-MM')]`,
    ...(conversation
      ? [`array(select ${quoted(CONVERSATION_PREFIX)} || one from unnest(c.ids[2:]) one where one <> '')`]
      : []),
    ...Object.entries(states).map(
      ([state, is]) => `case when ${is} then array[${quoted(state)}] else '{}' end`,
    ),
    ...Object.entries(names).map(([operator, list]) => `search_names(${quoted(operator)}, ${list})`),
    ...Object.entries(words).map(([operator, text]) => `search_field_words(${quoted(operator)}, ${text})`),
  ].join('\n      || ');
  return `search_within(${all}, ${MAX_OPERATOR_BYTES})`;
}

/** Returns whether a facet counts the records of a state, e.g. `is:open`. */
function isFact(state: string): boolean {
  const [operator = '', value = ''] = state.split(':');
  const name = findSearchOperator(operator);
  return name !== undefined && facetOf({ name, value }) !== undefined;
}

/** Returns the expression for the facts of a record, `text[]`: states, and the repository by the first of its names. */
function factsOf({ states, names }: SearchDefinition): string {
  const facts = Object.entries(states)
    .filter(([state]) => isFact(state))
    .map(([state, is]) => `case when ${is} then ${quoted(state)} end`);
  if (names.repo !== undefined) facts.push(`'repo:' || nullif(left((${names.repo})[1], 200), '')`);
  return facts.length === 0 ? `'{}'::text[]` : `array_remove(array[${facts.join(', ')}], null)`;
}

/** Ids of a conversation that a record may name. */
const MAX_CONVERSATION_IDS = 30;

/**
 * Returns the lateral table `c` with the ids of a record's conversation, `text[]`: digests, because ids may be long and lower
 * case would change some.
 */
function conversationIds({ conversation }: SearchDefinition): string {
  if (!conversation) return 'cross join (select null::text[] as ids) c';
  const { ids, copyId } = conversation;
  return `cross join lateral (select array(
      select case when one <> '' then left(encode(sha256(convert_to(one, 'UTF8')), 'hex'), 16) else '' end
      from unnest(array[coalesce(${copyId}, '')] || ${ids}) with ordinality listed(one, place)
      order by place limit ${MAX_CONVERSATION_IDS + 1}) as ids) c`;
}

/**
 * Returns the columns of the entry of a row `r`, as a list for SELECT, and the tables after `r` that they read. `people` is for
 * completion, and no column of the index.
 */
export function entryOf({ search }: SearchedEntity): { columns: string; tables: string } {
  const texts = SEARCH_WEIGHTS.map((weight) => search.texts[weight] ?? 'null').join(', ');
  return {
    columns: `r.user_id, r.connection_id, r.id, r.occurred_at, left(coalesce(${search.person}, ''), 200) as person,
      array(select left(label, 200) from unnest(${search.labels}) label limit 50) as labels,
      ${factsOf(search)} as facts, lower(unaccent(left(coalesce(${search.parts}, ''), 500))) as parts, ${search.people} as people,
      (${search.size ?? 'null'})::bigint as size, c.ids as conversation,
      search_terms(${texts})
      || array_to_tsvector(${operatorWords(search)}) as terms`,
    tables: `cross join lateral json_to_record(r.data) as d(${search.document})
      ${conversationIds(search)}`,
  };
}
