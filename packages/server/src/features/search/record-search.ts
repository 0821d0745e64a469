import { hash } from 'node:crypto';
import type { EntityDefinition } from '@datadeck/connectors';
import type { ParsedSearch } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { findRecordSet, type RecordSet, readLabelNames, recordSetOf } from '../records/index.ts';
import { matchCondition } from './candidates.ts';
import { SearchCompiler } from './compile.ts';
import { readIndexProgress } from './index-older-records.ts';
import { findScope, requireParsed, withinAccounts } from './scope.ts';
import { readTerms } from './terms.ts';

/** Timeout of each statement that prepares a search, ms. */
const STATEMENT_MS = 5000;
/** Ages count from the start of the minute, so that pages of one result, and its downloads, share their rows. */
const MINUTE_MS = 60_000;

/** The records of a set that a search finds. */
export interface RecordSearch {
  /** Condition on the row `r` of the entity's table. */
  where: SQL;
  /** Cache key: equal names mean equal records in the same data version. Changes with names of labels and with time. */
  name: string;
}

/** Parses a search over the records of an entity. @throws AppError validation-failed with the field `search` */
export function requireSearch({ title, search }: EntityDefinition, text: string): ParsedSearch {
  if (search !== undefined) return requireParsed(text, 'search');
  const message = `A search cannot select ${title.toLowerCase()}.`;
  throw new AppError('validation-failed', message, { fields: { search: message } });
}

/**
 * Finds the records that a request means, like `findRecordSet`, in the accounts that its search names as a whole.
 * @returns undefined before the provider was first connected, and for accounts that the provider does not have
 * @throws AppError not-found, validation-failed
 */
export async function findSearchedSet(
  { db }: Pick<Context, 'db'>,
  registry: ConnectorRegistry,
  request: { userId: string; entity: string; account?: string | undefined; search?: string | undefined },
): Promise<RecordSet | undefined> {
  const { userId, entity: entityLabel, search = '' } = request;
  const set = await findRecordSet(db, registry, request);
  if (!set || search === '') return set;
  const scope = await findScope(db, registry, { userId, entityLabel });
  const { connectionIds } = withinAccounts(scope, requireParsed(search, 'search').condition);
  const accounts = set.accounts.filter(({ connectionId }) => connectionIds.includes(connectionId));
  if (accounts.length === set.accounts.length) return set;
  const { key } = registry.providerOf(entityLabel);
  return accounts.length === 0 ? undefined : recordSetOf(userId, registry.entity(key, entityLabel), accounts);
}

/**
 * Compiles a search over the records of a set to a condition on the row `r` and a cache key. The caller limits `r` to the set. Words match by their stems, too, but unlike the search page by no similar name and no part of a word, so that a view
 * does not change by itself.
 * @param request.now time from which ages count; absent: the start of this minute
 * @throws AppError validation-failed; unavailable while records are not in the index
 */
export async function compileRecordSearch(
  context: Context,
  registry: ConnectorRegistry,
  set: RecordSet,
  { entity, text, now }: { entity: EntityDefinition; text: string; now?: Date | undefined },
): Promise<RecordSearch> {
  const { condition } = requireSearch(entity, text);
  const { userId, entity: entityLabel } = set;
  const all = await findScope(context.db, registry, { userId, entityLabel });
  const isOfSet = (id: string) => set.accounts.some(({ connectionId }) => connectionId === id);
  const accounts = all.accounts.filter(({ connectionId }) => isOfSet(connectionId));
  const scope = { ...all, accounts, connectionIds: accounts.map(({ connectionId }) => connectionId) };
  return readBounded(context.db, STATEMENT_MS, async (db) => {
    const [progress] = await readIndexProgress(db, userId, set);
    if (progress) {
      const [indexed, total] = [progress.indexed, progress.total].map((count) => count.toLocaleString('en'));
      throw new AppError(
        'unavailable',
        `The search is still being prepared: ${indexed} of ${total} ${entity.title.toLowerCase()} are ready. Nothing is lost; try again in a minute.`,
      );
    }
    const labels = await readLabelNames(db, registry, scope);
    const minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    const compiler = new SearchCompiler({ now: now?.getTime() ?? minute, scope, labels });
    const terms = await readTerms(db, condition, { compiler, isTyping: false });
    const where = sql`(r.connection_id, r.id) in (select e.connection_id, e.id from search_entries e where ${matchCondition(scope, terms)})`;
    const { sql: statement, params } = new PgDialect().sqlToQuery(where);
    return { where, name: hash('sha256', JSON.stringify([statement, params]), 'base64url') };
  });
}
