import type { SearchCondition, SearchFilter, SearchWords } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { combineWords, isPart, type SearchCompiler } from './compile.ts';

/** The queries of words that a search consists of, as texts of tsquery; null for none. */
export interface SearchTerms {
  /** What must match. */
  words: string | null;
  /** The words by which results are ranked, without operators; null when the search has none. */
  ranked: string | null;
  /** The same words in titles alone. */
  inTitle: string | null;
  /** Words and stems to mark in results. */
  marked: string[];
  /** Parts of words that are found, too. */
  parts: string[];
  tests: SQL[];
  /** A time after which nothing matches, ms since 1970. */
  until: number;
}

/** Returns the words and operators that records must have, not those that they must not have. */
export function positiveTerms(condition: SearchCondition): (SearchWords | SearchFilter)[] {
  if (condition.kind === 'words' || condition.kind === 'filter') return [condition];
  return condition.kind === 'not' ? [] : condition.of.flatMap(positiveTerms);
}

/** Returns the text of a term whose words are marked in results; undefined for e.g. a sender, whose name in the text was not looked for. */
function markedText(term: SearchWords | SearchFilter): string | undefined {
  if (term.kind === 'words') return term.text;
  return term.name === 'subject' ? term.value : undefined;
}

/** Returns the words and phrases of a search that may be parts of words. */
function partsOf(condition: SearchCondition): string[] {
  return positiveTerms(condition).flatMap((term) =>
    term.kind === 'words' && isPart(term) ? [term.text] : [],
  );
}

/** Returns whether a search has words that may be parts of words. */
export function hasParts(condition: SearchCondition): boolean {
  return partsOf(condition).length > 0;
}

const TITLE_PREFIX = 'subject:';
/** Shortest word of a title that is also found as the beginning of a longer one: shorter ones begin too many words. */
const MIN_BEGINNING = 5;

/** Returns the `tsquery` of the terms that records have whose title has all words of a text, long ones also as beginnings. */
function titleQuery(text: string): SQL {
  const isLong = sql`length(word) >= ${TITLE_PREFIX.length + MIN_BEGINNING}`;
  return sql`(select search_all(search_lexeme(word, ${isLong})) from unnest(search_field_words('subject', ${text})) word)`;
}

/** Reads what PostgreSQL makes of a search: words without accents, stems, phrases. */
export async function readTerms(
  db: Queryable,
  condition: SearchCondition,
  options: { compiler: SearchCompiler; isTyping: boolean; isByParts?: boolean },
): Promise<SearchTerms> {
  const { compiler, isTyping, isByParts = false } = options;
  const terms = positiveTerms(condition);
  const positive = terms.filter((term) => term.kind === 'words');
  const lastWord = isTyping ? positive.at(-1) : undefined;
  const { words, tests, until } = compiler.compile(condition, { lastWord, isByParts });
  const ranked = positive.map(({ text }) => sql`search_words_query(${text}, false)`);
  const titles = positive.map(({ text }) => titleQuery(text));
  const shown = terms.flatMap((term) => markedText(term) ?? []).join(' ');
  const { rows } = await db.execute<{
    words: string | null;
    ranked: string | null;
    in_title: string | null;
    marked: string[] | null;
  }>(sql`
    select (${combineWords(words, 'all')})::text as words, (${combineWords(ranked, 'all')})::text as ranked, (${combineWords(titles, 'all')})::text as in_title,
      (select array_agg(distinct found[1]) from regexp_matches(search_words_query(${shown}, false)::text, '''((?:[^'']|'''')+)''', 'g') found) as marked`);
  const { words: text = null, ranked: rank = null, in_title: inTitle = null, marked = null } = rows[0] ?? {};
  const parts = isByParts ? partsOf(condition) : [];
  return {
    words: text,
    ranked: rank,
    inTitle: isByParts ? null : inTitle,
    marked: marked ?? [],
    parts,
    tests,
    until,
  };
}
