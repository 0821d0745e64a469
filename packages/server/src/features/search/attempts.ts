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
  condition: SearchCondition;
  terms: SearchTerms;
  /** Whether words are also found inside of words. */
  isByParts: boolean;
  /** The search with other words; null for the words of the user. */
  correctedText: string | null;
}

/** What a request asks, without how the results are shown. */
export type SearchQuestion = Omit<SearchRequest, 'page' | 'order'> & { userId: string };

/** Where a search looks, and what its names mean there. */
export interface SearchPlace {
  scope: SearchScope;
  /** How records that several accounts have are found once. */
  copies: SearchedCopies;
  labels: LabelNames;
  compiler: SearchCompiler;
}

/** A search in progress, in a transaction on one snapshot. */
export interface RunningSearch extends SearchPlace {
  db: Queryable;
  question: SearchQuestion;
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
  condition: SearchCondition,
): AsyncGenerator<SearchAttempt> {
  const { db, scope, labels, compiler, remarks, question } = running;
  const text = question.q;
  const isTyping = question.isTyping === 'true';
  const terms = await readTerms(db, condition, { compiler, isTyping });
  yield { condition, terms, isByParts: false, correctedText: null };
  for (const correctedText of await correctedTexts(db, {
    text,
    condition,
    scope,
    labels,
    compiler,
    remarks,
  })) {
    const corrected = parseSearch(correctedText).condition;
    const correctedTerms = await readTerms(db, corrected, { compiler, isTyping });
    yield { condition: corrected, terms: correctedTerms, isByParts: false, correctedText };
  }
  if (hasParts(condition))
    yield {
      condition,
      terms: await readTerms(db, condition, { compiler, isTyping, isByParts: true }),
      isByParts: true,
      correctedText: null,
    };
}

/** Finds where a question is searched. @throws AppError not-found for an unknown provider or entity */
export async function openPlace(
  db: Queryable,
  registry: ConnectorRegistry,
  { question, condition, now }: { question: SearchQuestion; condition: SearchCondition; now: number },
): Promise<SearchPlace> {
  const scope = withinAccounts(await findScope(db, registry, question), condition);
  const labels = await readLabelNames(db, registry, scope);
  const copies = await openCopies(db, registry, scope);
  return { scope, labels, copies, compiler: new SearchCompiler({ now, scope, labels }) };
}

/**
 * Prepares a search in the user's shown accounts and runs a task with it.
 * @throws AppError validation-failed for unknown operators, wrong values and searches beyond `SEARCH_LIMITS`; not-found for
 *   an unknown provider or entity; query-too-complex after the timeout
 */
export async function runSearch<Result>(
  context: Context,
  registry: ConnectorRegistry,
  question: SearchQuestion,
  task: (search: RunningSearch) => Promise<Result>,
): Promise<Result> {
  const { condition, problems } = requireParsed(question.q);
  const remarks = problems.map(({ message, from, to }) => ({ message, from, to }));
  const now = Date.now();
  return readBounded(context.db, STATEMENT_MS, async (db) => {
    const place = await openPlace(db, registry, { question, condition, now });
    const running = { ...place, db, question, now, remarks };
    return task({ ...running, attempts: attemptsOf(running, condition) });
  }).catch((error: unknown) => {
    throw explained(error);
  });
}
