import {
  type ResultDetails,
  SEARCH_BOUNDS,
  type SearchRequest,
  type SearchResult,
  type SearchResults,
} from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { accountsOf, connectionIdsOf, recordSetOf, tableOf, textArray } from '../records/index.ts';
import { type RunningSearch, runSearch, type SearchAttempt } from './attempts.ts';
import { type FoundRecord, findCandidates, type IndexedMonths, keyOf, readMonths } from './candidates.ts';
import { countConversations } from './conversation.ts';
import { countAlternatives, countFacets } from './facets.ts';
import { SearchMarker } from './highlight.ts';
import { readIndexProgress, unindexedOf } from './index-older-records.ts';
import { loadRecordTexts } from './record-texts.ts';
import type { SearchScope } from './scope.ts';
import type { SearchTerms } from './terms.ts';

/** Newest matches that are ordered by relevance, and newest matches with all words in the title. Others follow by their age. */
const RANKED = { newest: 200, titled: 100 } as const;

/** Orders candidates by how well their words match and by their age; the newest is worth up to twice an old one. */
async function rank(
  db: Queryable,
  { userId }: SearchScope,
  { found, ranked, now }: { found: readonly FoundRecord[]; ranked: string; now: number },
): Promise<FoundRecord[]> {
  const keys = JSON.stringify(found.map(({ connection_id: c, entity: e, id: i }) => ({ c, e, i })));
  const { rows } = await db.execute<{ position: number }>(sql`
    select k.position::int - 1 as position from rows from (json_to_recordset(${keys}) as (c uuid, e text, i text)) with ordinality k(c, e, i, position)
    join search_entries e on e.user_id = ${userId} and e.connection_id = k.c and e.entity = k.e and e.id = k.i
    order by ts_rank('{0.1, 0.25, 0.5, 1}', e.terms, ${ranked}::tsquery, 1)
      * (1 + exp(-greatest(0, extract(epoch from ${new Date(now)}::timestamptz - e.occurred_at)::float8) / 15552000)) desc, k.position`);
  return rows.flatMap(({ position }) => found[position] ?? []);
}

/** Finds and orders the candidates: the newest matches, and of many also those with all words in their titles. */
async function findRanked(
  search: RunningSearch,
  {
    terms,
    months,
    order,
  }: { terms: SearchTerms; months: IndexedMonths | undefined; order: SearchRequest['order'] },
): Promise<FoundRecord[]> {
  const { db, scope, now } = search;
  const { words, ranked, inTitle, tests } = terms;
  const { found: newest, isFrequent } = await findCandidates(search, {
    conditions: { words, tests },
    months,
    limit: SEARCH_BOUNDS.candidates,
  });
  if (order === 'newest' || ranked === null) return newest;
  const isComplete = newest.length <= RANKED.newest;
  const { found: titled } =
    isComplete || inTitle === null
      ? { found: [] }
      : await findCandidates(search, {
          conditions: { words: `(${words}) & (${inTitle})`, tests },
          months: isFrequent ? months : undefined,
          limit: RANKED.titled,
        });
  const first = new Map([...newest.slice(0, RANKED.newest), ...titled].map((one) => [keyOf(one), one]));
  const rest = newest.slice(RANKED.newest).filter((one) => !first.has(keyOf(one)));
  return [...(await rank(db, scope, { found: [...first.values()], ranked, now })), ...rest];
}

/** Reads which accounts have each of the found records whose ids mean the same record in all of them. */
async function readHolders(
  db: Queryable,
  registry: ConnectorRegistry,
  { scope, shown }: { scope: SearchScope; shown: readonly FoundRecord[] },
): Promise<Map<string, { accounts: string[] }>> {
  const holders = new Map<string, { accounts: string[] }>();
  for (const [id, records] of Map.groupBy(shown, ({ entity }) => entity)) {
    const { key } = registry.providerOf(id);
    const accounts = scope.accounts.filter(({ provider }) => provider === key);
    const set = recordSetOf(scope.userId, registry.entity(key, id), accounts);
    if (!set.globalIds) continue;
    const { rows } = await db.execute<{ connection_id: string; id: string; accounts: string[] }>(sql`
      select r.connection_id, r.id, ${accountsOf(set)} as accounts from ${tableOf(set)} r
      where r.user_id = ${scope.userId} and r.connection_id = any(${connectionIdsOf(set)})
        and r.id = any(${textArray(records.map((record) => record.id))})`);
    for (const row of rows) holders.set(keyOf({ ...row, entity: id }), { accounts: row.accounts });
  }
  return holders;
}

/** Adds the number of mails of its conversation to what is shown of a mail. */
function detailsOf(details: ResultDetails = {}, mailCount?: number): ResultDetails {
  return details.mail && mailCount !== undefined
    ? { ...details, mail: { ...details.mail, mailCount } }
    : details;
}

/** Reads what is shown of found records. */
async function toResults(
  { db, scope, labels }: RunningSearch,
  registry: ConnectorRegistry,
  { shown, terms }: { shown: readonly FoundRecord[]; terms: SearchTerms },
): Promise<SearchResult[]> {
  const texts = await loadRecordTexts(db, registry, { userId: scope.userId, found: shown });
  const holders = await readHolders(db, registry, { scope, shown });
  const mails = await countConversations(db, { userId: scope.userId, found: shown });
  const marker = new SearchMarker(terms.marked, terms.parts);
  return shown.map((one, index) => ({
    providerId: registry.providerOf(one.entity).key,
    entityLabel: one.entity,
    account: scope.accounts.find(({ connectionId }) => connectionId === one.connection_id)?.account ?? '',
    ...holders.get(keyOf(one)),
    recordId: one.id,
    title: marker.mark(texts[index]?.title ?? ''),
    excerpt: marker.excerpt(texts[index]?.body ?? ''),
    person: one.person,
    labels: one.labels.map((label) => labels.nameOf(one.connection_id, label)),
    occurredAt: new Date(one.occurred_at).toISOString(),
    ...detailsOf(texts[index]?.details, mails.get(keyOf(one))),
  }));
}

/**
 * Searches the records of a user's shown accounts.
 * @throws AppError validation-failed for unknown operators, wrong values and searches beyond `SEARCH_LIMITS`; not-found for
 *   an unknown provider or entity
 */
export async function searchRecords(
  context: Context,
  registry: ConnectorRegistry,
  request: SearchRequest & { userId: string },
): Promise<SearchResults> {
  const { userId, order, page } = request;
  const hasFacets = request.facets === 'true';
  return runSearch(context, registry, request, async (search) => {
    const { db, remarks, now } = search;
    const indexing = await readIndexProgress(db, userId);
    const unindexed = unindexedOf(indexing);
    let first: SearchAttempt | undefined;
    for await (const attempt of search.attempts) {
      first ??= attempt;
      const { terms, correctedText } = attempt;
      const months = await readMonths(db, userId, { ...terms, now });
      const found = await findRanked(search, { terms, months, order });
      if (found.length === 0) continue;
      const shown = found.slice((page - 1) * SEARCH_BOUNDS.page, page * SEARCH_BOUNDS.page);
      const results = await toResults(search, registry, { shown, terms });
      const count = Math.min(found.length, SEARCH_BOUNDS.candidates);
      const isLimited = found.length >= SEARCH_BOUNDS.candidates;
      const facets = hasFacets ? await countFacets(search, registry, { attempt, months }) : null;
      return { results, count, isLimited, remarks, correctedText, unindexed, indexing, facets };
    }
    const nothing = { count: 0, isLimited: false };
    const facets = hasFacets && first ? await countAlternatives(search, registry, first) : null;
    return { results: [], ...nothing, remarks, correctedText: null, unindexed, indexing, facets };
  });
}
