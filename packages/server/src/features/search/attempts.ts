import {
  parseSearch,
  type SearchCondition,
  type SearchRequest,
  type SearchResults,
} from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isStatementTimeout } from '../../platform/db/failures.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { type LabelNames, readLabelNames } from '../records/index.ts';
import { SearchCompiler } from './compile.ts';
import { openCopies, type SearchedCopies } from './copies.ts';
import { correctedTexts } from './correction.ts';
import { findScope, requireParsed, type SearchScope, withinAccounts } from './scope.ts';
import { hasParts, readTerms, type SearchTerms } from './terms.ts';

/** Timeout of each statement of a search, ms. */
const STATEMENT_MS = 5000;

/** What to look for. */
export interface SearchAttempt {
  terms: SearchTerms;
  /** The search with other words; null for the words of the user. */
  correctedText: string | null;
}

/** A search in progress, in a transaction on one snapshot. */
export interface RunningSearch {
  db: Queryable;
  scope: SearchScope;
  /** How records that several accounts have are found once. */
  copies: SearchedCopies;
  labels: LabelNames;
  /** Time from which ages count, ms since 1970. */
  now: number;
  remarks: SearchResults['remarks'];
  /** What to look for, one after the other until something is found. */
  attempts: AsyncIterable<SearchAttempt>;
}

/** Returns the error for people when a search took too long. */
function explained(error: unknown): unknown {
  if (!isStatementTimeout(error)) return error;
  const message = `The search took longer than ${STATEMENT_MS / 1000} seconds. Add a word or a date, for example newer_than:1y, so that fewer records match, or try again later.`;
  return new AppError('query-too-complex', message, { fields: { q: message } });
}

/** Yields the search itself, then corrections of its names, then the search by parts of words. */
async function* attemptsOf(
  running: Omit<RunningSearch, 'attempts'>,
  { text, condition, isTyping }: { text: string; condition: SearchCondition; isTyping: boolean },
): AsyncGenerator<SearchAttempt> {
  const { db, scope, labels, now, remarks } = running;
  const compiler = new SearchCompiler({ now, scope, labels });
  const terms = await readTerms(db, condition, { compiler, isTyping });
  yield { terms, correctedText: null };
  for (const correctedText of await correctedTexts(db, {
    text,
    condition,
    scope,
    labels,
    compiler,
    remarks,
  })) {
    const corrected = parseSearch(correctedText).condition;
    yield { terms: await readTerms(db, corrected, { compiler, isTyping }), correctedText };
  }
  if (hasParts(condition))
    yield {
      terms: await readTerms(db, condition, { compiler, isTyping, isByParts: true }),
      correctedText: null,
    };
}

/**
 * Prepares a search in the user's shown accounts and runs a task with it.
 * @throws AppError validation-failed for unknown operators, wrong values and searches beyond `SEARCH_LIMITS`; not-found for
 *   an unknown provider or entity; query-too-complex after the timeout
 */
export async function runSearch<Result>(
  context: Context,
  registry: ConnectorRegistry,
  request: Omit<SearchRequest, 'page' | 'order'> & { userId: string },
  task: (search: RunningSearch) => Promise<Result>,
): Promise<Result> {
  const { q: text, isTyping } = request;
  const { condition, problems } = requireParsed(text);
  const remarks = problems.map(({ message, from, to }) => ({ message, from, to }));
  const scope = withinAccounts(await findScope(context.db, registry, request), condition);
  return readBounded(context.db, STATEMENT_MS, async (db) => {
    const labels = await readLabelNames(db, registry, scope);
    const copies = await openCopies(db, registry, scope);
    const running = { db, scope, copies, labels, now: Date.now(), remarks };
    const attempts = attemptsOf(running, { text, condition, isTyping: isTyping === 'true' });
    return task({ ...running, attempts });
  }).catch((error: unknown) => {
    throw explained(error);
  });
}
