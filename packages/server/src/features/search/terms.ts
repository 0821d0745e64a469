import type { SearchCondition, SearchWords } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import type { SearchCompiler } from './compile.ts';

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
  tests: SQL[];
}

/** Returns the words that records must have, not those that they must not have. */
function positiveWords(condition: SearchCondition): SearchWords[] {
  if (condition.kind === 'words') return [condition];
  return condition.kind === 'all' || condition.kind === 'any' ? condition.of.flatMap(positiveWords) : [];
}

/** Returns the texts of filters that are words of titles or names. */
function filteredTexts(condition: SearchCondition): string[] {
  if (condition.kind === 'filter')
    return ['subject', 'from', 'author', 'to', 'filename'].includes(condition.name) ? [condition.value] : [];
  return condition.kind === 'all' || condition.kind === 'any' ? condition.of.flatMap(filteredTexts) : [];
}

const combined = (parts: readonly SQL[]) =>
  parts.length === 0
    ? sql`null::tsquery`
    : sql`(select search_all(part) from (values ${sql.join(
        parts.map((part) => sql`(${part})`),
        sql`, `,
      )}) parts(part))`;

/** Reads what PostgreSQL makes of a search: words without accents, stems, phrases. */
export async function readTerms(
  db: Queryable,
  condition: SearchCondition,
  { compiler, isTyping }: { compiler: SearchCompiler; isTyping: boolean },
): Promise<SearchTerms> {
  const positive = positiveWords(condition);
  const last = isTyping ? positive.at(-1) : undefined;
  const { words, tests } = compiler.compile(condition, last);
  const ranked = positive.map(({ text }) => sql`search_words_query(${text}, false)`);
  const titles = positive.map(({ text }) => sql`search_field_query('subject', ${text})`);
  const shown = [...positive.map(({ text }) => text), ...filteredTexts(condition)].join(' ');
  const { rows } = await db.execute<{
    words: string | null;
    ranked: string | null;
    in_title: string | null;
    marked: string[] | null;
  }>(sql`
    select (${combined(words)})::text as words, (${combined(ranked)})::text as ranked, (${combined(titles)})::text as in_title,
      (select array_agg(distinct found[1]) from regexp_matches(search_words_query(${shown}, false)::text, '''((?:[^'']|'''')+)''', 'g') found) as marked`);
  const { words: text = null, ranked: rank = null, in_title: inTitle = null, marked = null } = rows[0] ?? {};
  return { words: text, ranked: rank, inTitle, marked: marked ?? [], tests };
}
