import {
  parseSearch,
  SEARCH_LIMITS,
  SEARCH_OPERATORS,
  type SearchCondition,
  type SearchFilter,
  type SearchResults,
  type SearchWords,
  shortened,
} from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { type LabelNames, textArray } from '../records/index.ts';
import type { SearchCompiler } from './compile.ts';
import { allowedErrors, editDistance } from './edit-distance.ts';
import type { SearchScope } from './scope.ts';
import { positiveTerms } from './terms.ts';
import { VALUES_OF } from './values.ts';
import { folded, wordsIn } from './words.ts';

/** Words and names of a search that are checked; known values that are compared with each. */
const MAX_PIECES = 8;
const MAX_SIMILAR = 200;
/** Longest word that is corrected, UTF-16 units. */
const MAX_LENGTH = 100;
/** Corrected searches that are tried. */
const MAX_CORRECTIONS = 3;
/** Smallest share of equal trigrams at which a known value is compared letter by letter. */
const MIN_SIMILARITY = 0.25;

/** Operators whose values are names, which people misspell. */
const NAMED = new Set<string>(Object.keys(VALUES_OF));
const ALL_VALUES = ['from', 'author', 'label', 'repo'] as const;

/** Matches values that need no quotes. */
const BARE = /^(?!(?:OR|AND)$)[\p{L}\p{N}@_][\p{L}\p{N}\p{M}@._+/-]*$/u;

type Term = SearchWords | SearchFilter;

/** A part of a term that a known value may replace: a word, or a whole name such as a label. */
interface Piece {
  term: Term;
  text: string;
  /** Offset in the term's text. */
  at: number;
  /** Operators whose known values are compared. */
  operators: readonly string[];
  isWholeName: boolean;
  /** Query that finds the piece alone. */
  query: SQL;
}

/** What corrections need to know of a search. */
export interface CorrectedSearch {
  text: string;
  condition: SearchCondition;
  scope: SearchScope;
  labels: LabelNames;
  compiler: SearchCompiler;
  /** Gets a remark for each label and repository that no record has and that is like no other. */
  remarks: SearchResults['remarks'];
}

const textOf = (term: Term) => (term.kind === 'words' ? term.text : term.value);

/** Splits a term into words, except the names of labels and repositories. Numbers are never typing errors of others. */
function piecesOf(term: Term, compiler: SearchCompiler): Piece[] {
  const text = textOf(term);
  const operator = term.kind === 'filter' ? term.name : undefined;
  if (operator !== undefined && !NAMED.has(operator)) return [];
  const operators = operator === undefined ? ALL_VALUES : VALUES_OF[operator as keyof typeof VALUES_OF];
  if (operator !== undefined && SEARCH_OPERATORS[operator].kind === 'name')
    return [{ term, text, at: 0, operators, isWholeName: true, query: compiler.queryOf(term) }];
  return [...wordsIn(text)]
    .filter(({ 0: word }) => !/\p{N}/u.test(word))
    .map(({ 0: word, index }) => {
      const query = compiler.queryOf(
        term.kind === 'words' ? { ...term, text: word, isPhrase: false } : { ...term, value: word },
      );
      return { term, text: word, at: index, operators, isWholeName: false, query };
    });
}

/** Names the records with a piece in `missingPieces`. */
const name = (index: number) => sql.identifier(`piece_${index}`);

/** Returns the pieces that no record has. */
async function missingPieces(
  db: Queryable,
  { userId, connectionIds }: SearchScope,
  pieces: readonly Piece[],
): Promise<Piece[]> {
  if (pieces.length === 0) return [];
  // As tables of their own: else the planner reads all rows and unpacks the words of each until it meets the first one.
  const found = pieces.map(
    ({ query }, index) => sql`${name(index)} as materialized (
      select from search_entries e where e.user_id = ${userId} and e.connection_id = any(${textArray(connectionIds)}::uuid[])
        and e.terms @@ (select ${query}))`,
  );
  const { rows } = await db.execute<{ found: boolean[] }>(sql`
    with ${sql.join(found, sql`, `)}
    select array[${sql.join(
      pieces.map((_, index) => sql`exists (select from ${name(index)})`),
      sql`, `,
    )}] as found`);
  return pieces.filter((_, index) => rows[0]?.found[index] === false);
}

/** Reads the known values of the user that are most similar to a piece. */
async function similarValues(db: Queryable, search: CorrectedSearch, piece: Piece): Promise<string[]> {
  const { userId, connectionIds } = search.scope;
  const plain = folded(piece.text);
  const { rows } = await db.execute<{ value: string }>(sql`
    select value from (
      select value, max(word_similarity(${plain}, unaccent(value))) as similarity from search_values
      where user_id = ${userId} and connection_id = any(${textArray(connectionIds)}::uuid[])
        and operator = any(${textArray(piece.operators)})
      group by value
    ) known where similarity >= ${MIN_SIMILARITY} order by similarity desc, value limit ${MAX_SIMILAR}`);
  const labels = search.labels.all;
  const ids = new Set(labels.map(({ id }) => id));
  // People know labels by their names.
  const values = rows.map(({ value }) => value).filter((value) => !ids.has(value));
  return piece.operators.includes('label') ? [...values, ...labels.map(({ name: label }) => label)] : values;
}

/** Returns the known names or words that differ from a piece by few typing errors, the most similar first. */
function similarTexts(piece: Piece, values: readonly string[]): string[] {
  const wanted = folded(piece.text);
  const limit = allowedErrors(wanted.length);
  const texts = piece.isWholeName
    ? values
    : values.flatMap((value) => [...wordsIn(value)].map(([word]) => word.toLowerCase()));
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .map(([text, count]) => ({ text, count, errors: editDistance(wanted, folded(text), limit) }))
    .filter(({ text, errors }) => errors <= limit && text.length <= MAX_LENGTH)
    .sort((a, b) => a.errors - b.errors || b.count - a.count || (a.text < b.text ? -1 : 1))
    .slice(0, MAX_CORRECTIONS)
    .map(({ text }) => text);
}

/** Writes a term with other words, in quotes where it needs them. A name cannot end the quotes. */
function written(term: Term, text: string): string {
  const isBare = term.kind === 'words' ? !term.isPhrase : BARE.test(text);
  return isBare ? text : `"${text.replace(/["“”„]/g, ' ')}"`;
}

/** Returns the search with other words in the place of pieces. */
function corrected(text: string, replaced: readonly { piece: Piece; by: string }[]): string {
  const terms = [...Map.groupBy(replaced, ({ piece }) => piece.term)];
  let result = text;
  for (const [term, changes] of terms.sort(([a], [b]) => b.from - a.from)) {
    let value = textOf(term);
    for (const { piece, by } of changes.toReversed())
      value = value.slice(0, piece.at) + by + value.slice(piece.at + piece.text.length);
    result = result.slice(0, term.from) + written(term, value) + result.slice(term.to);
  }
  return result;
}

const isUsable = (text: string) =>
  text.length <= SEARCH_LIMITS.text && parseSearch(text).problems.every(({ isError }) => !isError);

/**
 * Returns corrections of a search that found nothing, the best first: words and names that no record has are replaced by
 * similar ones of the user's own people, labels and repositories.
 */
export async function correctedTexts(db: Queryable, search: CorrectedSearch): Promise<string[]> {
  const pieces = positiveTerms(search.condition)
    .flatMap((term) => piecesOf(term, search.compiler))
    .filter(({ text }) => text.length <= MAX_LENGTH && allowedErrors(folded(text).length) > 0)
    .slice(0, MAX_PIECES);
  const replaceable: { piece: Piece; texts: string[] }[] = [];
  for (const piece of await missingPieces(db, search.scope, pieces)) {
    const texts = similarTexts(piece, await similarValues(db, search, piece));
    if (texts.length > 0) replaceable.push({ piece, texts });
    else if (piece.isWholeName && piece.term.kind === 'filter') {
      const { name: operator, from, to } = piece.term;
      search.remarks.push({ message: `No record has ${operator}:${shortened(piece.text)}.`, from, to });
    }
  }
  if (replaceable.length === 0) return [];
  const corrections = Array.from({ length: MAX_CORRECTIONS }, (_, choice) =>
    corrected(
      search.text,
      replaceable.map(({ piece, texts }) => ({ piece, by: texts[Math.min(choice, texts.length - 1)] ?? '' })),
    ),
  );
  return [...new Set(corrections)].filter(isUsable);
}
