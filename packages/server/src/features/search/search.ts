import {
  parseSearch,
  SEARCH_BOUNDS,
  type SearchRequest,
  type SearchResult,
  type SearchResults,
} from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { type ConnectorRegistry, listCurrentConnections } from '../connections/index.ts';
import { countUnindexed } from './backfill.ts';
import { type FoundRecord, findCandidates, keyOf, readWindows, type SearchScope } from './candidates.ts';
import { SearchCompiler } from './compile.ts';
import { SearchMarker } from './highlight.ts';
import { loadRecordTexts, readLabelNames } from './record-texts.ts';
import { readTerms, type SearchTerms } from './terms.ts';

/** Timeout of each statement of a search, ms. */
const STATEMENT_MS = 5000;

/** @throws AppError validation-failed for a search that cannot run, with the first reason */
function requireParsed(text: string) {
  const { condition, problems } = parseSearch(text);
  const error = problems.find(({ isError }) => isError);
  if (error)
    throw new AppError('validation-failed', error.message, {
      fields: { q: error.message },
      position: error.from,
    });
  return { condition, remarks: problems.map(({ message, from, to }) => ({ message, from, to })) };
}

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
      * (1 + exp(-greatest(0, extract(epoch from ${new Date(now)}::timestamptz - e.occurred_at)) / 15552000)) desc, k.position`);
  return rows.flatMap(({ position }) => found[position] ?? []);
}

/** Finds and orders the candidates: the newest matches, and of many also those with all words in their titles. */
async function findRanked(
  db: Queryable,
  scope: SearchScope,
  { terms, now, order }: { terms: SearchTerms; now: number; order: SearchRequest['order'] },
): Promise<FoundRecord[]> {
  const { words, ranked, inTitle, tests } = terms;
  const windows = await readWindows(db, scope.userId, now);
  const newest = await findCandidates(db, scope, { conditions: { words, tests }, windows });
  if (order === 'newest' || ranked === null) return newest;
  const isLimited = newest.length >= SEARCH_BOUNDS.candidates;
  const conditions = { words: `(${words}) & (${inTitle})`, tests };
  const titled =
    isLimited && inTitle !== null ? await findCandidates(db, scope, { conditions, windows }) : [];
  const known = new Set(newest.map(keyOf));
  const further = titled.filter((one) => !known.has(keyOf(one)));
  return rank(db, scope, { found: [...newest, ...further], ranked, now });
}

/**
 * Searches the records of a user's current connections.
 * @throws AppError validation-failed for unknown operators, wrong values and searches beyond `SEARCH_LIMITS`; not-found for
 *   an unknown provider or entity
 */
export async function searchRecords(
  context: Context,
  registry: ConnectorRegistry,
  request: SearchRequest & { userId: string },
): Promise<SearchResults> {
  const { userId, providerId, entityLabel: entity, order, page, isTyping } = request;
  const { condition, remarks } = requireParsed(request.q);
  if (entity !== undefined) registry.providerOf(entity);
  if (providerId !== undefined) registry.connector(providerId);
  const connections = (await listCurrentConnections(context.db, userId)).filter(
    ({ provider }) => providerId === undefined || provider === providerId,
  );
  const scope = { userId, connectionIds: connections.map(({ id }) => id), entity };
  const now = Date.now();
  return readBounded(context.db, STATEMENT_MS, async (db) => {
    const labels = await readLabelNames(db, registry, scope);
    const compiler = new SearchCompiler({ now, resolveName: ({ value }) => labels.idsOf(value) });
    const terms = await readTerms(db, condition, { compiler, isTyping: isTyping === 'true' });
    const found = await findRanked(db, scope, { terms, now, order });
    const shown = found.slice((page - 1) * SEARCH_BOUNDS.page, page * SEARCH_BOUNDS.page);
    const texts = await loadRecordTexts(db, registry, { userId, found: shown });
    const marker = new SearchMarker(terms.marked);
    const results = shown.map(
      (one, index): SearchResult => ({
        providerId: registry.providerOf(one.entity).key,
        entityLabel: one.entity,
        recordId: one.id,
        title: marker.mark(texts[index]?.title ?? ''),
        excerpt: marker.excerpt(texts[index]?.body ?? ''),
        person: one.person,
        labels: one.labels.map((label) => labels.nameOf(label)),
        occurredAt: new Date(one.occurred_at).toISOString(),
      }),
    );
    const isLimited = found.length >= SEARCH_BOUNDS.candidates;
    return {
      results,
      count: Math.min(found.length, SEARCH_BOUNDS.candidates),
      isLimited,
      remarks,
      correctedText: null,
      unindexed: await countUnindexed(db, userId),
    };
  });
}
