import {
  parseSearchAge,
  parseSearchDate,
  parseSearchSize,
  SEARCH_OPERATORS,
  type SearchCondition,
  type SearchFilter,
  type SearchWords,
} from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import { type LabelNames, textArray } from '../records/index.ts';
import { CONNECTION_PREFIX } from './entry.ts';
import { isCalled, type SearchedAccount, type SearchScope } from './scope.ts';

/** A condition on rows `e` of the index: a query of words, which may be null for one without words, or a boolean expression. */
type Compiled = { words: SQL } | { test: SQL };

const DAY_MS = 86_400_000;

/** The first instant of the year 1, ms since 1970: PostgreSQL does not read the years before it as JavaScript writes them. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');

/** Shortest part of a word that is found, UTF-16 units: trigrams have three characters. */
const MIN_PART = 3;

/** Returns whether a word or phrase is long enough to be found as a part of words. */
export function isPart({ text }: SearchWords): boolean {
  return text.length >= MIN_PART;
}

/** Returns whether an operator finds what is older than its value. */
function isBefore({ name }: SearchFilter): boolean {
  return name === 'before' || name === 'older_than';
}

/** Returns whether the value of an operator means the user: `from:me`, `to:me`, `author:@me`. */
function meansUser({ name, value }: SearchFilter): boolean {
  const text = value.toLowerCase();
  return text === '@me' || (text === 'me' && name !== 'author');
}

/** How words are compiled. */
export interface CompileOptions {
  /** The word that is still being typed: it also finds longer words. */
  lastWord?: SearchCondition | undefined;
  /** Whether words are also found inside of the words of titles, people and file names. */
  isByParts?: boolean;
}

/** What a search is compiled with. */
interface CompilerOptions {
  /** Time from which ages count, ms since 1970. */
  now: number;
  scope: Pick<SearchScope, 'accounts' | 'ownNames' | 'timeZone'>;
  labels: LabelNames;
}

/** Compiles searches. */
export class SearchCompiler {
  readonly #now: number;
  readonly #accounts: readonly SearchedAccount[];
  readonly #ownNames: readonly string[];
  readonly #timeZone: string;
  readonly #labels: LabelNames;

  constructor({ now, scope, labels }: CompilerOptions) {
    this.#now = now;
    this.#accounts = scope.accounts;
    this.#ownNames = scope.ownNames;
    this.#timeZone = scope.timeZone;
    this.#labels = labels;
  }

  /**
   * Returns the condition as one query of words, and expressions that must hold, too. Dates cannot be part of the query.
   * `until` is a time, ms since 1970, after which nothing matches: now, or an earlier date of the search.
   */
  compile(
    condition: SearchCondition,
    options: CompileOptions,
  ): { words: SQL[]; tests: SQL[]; until: number } {
    const parts = condition.kind === 'all' ? condition.of : [condition];
    const compiled = parts.map((part) => this.#compile(part, options));
    return {
      words: compiled.flatMap((part) => ('words' in part ? [part.words] : [])),
      tests: compiled.flatMap((part) => ('test' in part ? [part.test] : [])),
      until: Math.min(this.#now, ...parts.flatMap((part) => this.#endOf(part) ?? [])),
    };
  }

  /** Returns the time before which records match, ms since 1970, if the condition is only that. */
  #endOf(condition: SearchCondition): number | undefined {
    return condition.kind === 'filter' && isBefore(condition) ? this.#timeOf(condition).getTime() : undefined;
  }

  /** Returns the query of words for a word, a phrase or an operator with words or names. */
  queryOf(term: SearchWords | SearchFilter, { lastWord }: CompileOptions = {}): SQL {
    if (term.kind === 'words')
      return term.isPhrase
        ? sql`search_phrase_query(${term.text})`
        : sql`search_words_query(${term.text}, ${term === lastWord})`;
    const { name, value } = term;
    switch (SEARCH_OPERATORS[name].kind) {
      case 'words':
        return this.#fieldQuery(term);
      case 'choice':
        return sql`search_lexeme(${`${name}:${value.toLowerCase()}`}, false)`;
      case 'account':
        return this.#accountQuery(value);
      default:
        return this.#nameQuery(name, value);
    }
  }

  /** Returns the query for an account by each of its names; one that no account has finds nothing. */
  #accountQuery(value: string): SQL {
    const ids = this.#accounts.filter((one) => isCalled(one, value)).map(({ connectionId }) => connectionId);
    const words = textArray(ids.length === 0 ? [CONNECTION_PREFIX] : ids.map((id) => CONNECTION_PREFIX + id));
    return sql`(select search_any(search_lexeme(one, false)) from unnest(${words}) one)`;
  }

  /** Returns the query for a name: the value itself, and the labels of this name with the ids of their accounts. */
  #nameQuery(name: string, value: string): SQL {
    const of = (names: readonly string[]) =>
      sql`(select search_any(search_lexeme(one, false)) from unnest(search_names(${name}, ${textArray(names)})) one)`;
    // As the header writes it.
    if (name === 'rfc822msgid') return of([value.replace(/^<|>$/g, '')]);
    const labels = this.#labels.idsOf(value);
    if (labels.length === 0) return of([value]);
    const inAccounts = labels.map(
      ({ connectionId, ids }) =>
        sql`(search_lexeme(${CONNECTION_PREFIX + connectionId}, false) && ${of(ids)})`,
    );
    return combineWords([of([value]), ...inAccounts], 'any');
  }

  #fieldQuery(filter: SearchFilter): SQL {
    const { name, value } = filter;
    const values = meansUser(filter) ? this.#ownNames : [value];
    const queries = values.map((one) => sql`search_field_query(${name}, ${one})`);
    // A value without words, e.g. one of 500 letters, finds nothing: no record has the operator alone.
    return sql`coalesce(${combineWords(queries, 'any')}, search_lexeme(${`${name}:`}, false))`;
  }

  #compile(condition: SearchCondition, options: CompileOptions): Compiled {
    switch (condition.kind) {
      case 'words': {
        const words = this.queryOf(condition, options);
        return options.isByParts && isPart(condition)
          ? { test: sql`(e.terms @@ (select ${words}) or ${hasPart(condition)})` }
          : { words };
      }
      case 'filter': {
        const { kind } = SEARCH_OPERATORS[condition.name];
        if (kind === 'size') return { test: sizeTest(condition) };
        return kind === 'date' || kind === 'age'
          ? { test: this.#compileTime(condition) }
          : { words: this.queryOf(condition) };
      }
      case 'not': {
        const part = this.#compile(condition.of, { ...options, isByParts: false });
        return 'words' in part ? { words: sql`(!!(${part.words}))` } : { test: sql`not ${part.test}` };
      }
      default: {
        const parts = condition.of.map((part) => this.#compile(part, options));
        return join(parts, condition.kind);
      }
    }
  }

  #compileTime(filter: SearchFilter): SQL {
    const time = this.#timeOf(filter);
    return isBefore(filter) ? sql`e.occurred_at < ${time}` : sql`e.occurred_at >= ${time}`;
  }

  #timeOf({ name, value }: SearchFilter): Date {
    return SEARCH_OPERATORS[name].kind === 'date'
      ? (parseSearchDate(value, { now: this.#now, timeZone: this.#timeZone }) ?? new Date(this.#now))
      : this.#ago(value);
  }

  #ago(age: string): Date {
    return new Date(Math.max(EARLIEST, this.#now - (parseSearchAge(age) ?? 0) * DAY_MS));
  }
}

/** Returns the condition on the size of `e`: a record without a size is neither larger nor smaller, also for `not`. */
function sizeTest({ name, value }: SearchFilter): SQL {
  const bytes = parseSearchSize(value) ?? 0;
  const is = name === 'larger' ? sql`e.size > ${bytes}` : sql`e.size < ${bytes}`;
  return sql`(e.size is not null and ${is})`;
}

/** Returns the condition that a title, person or file name of `e` has a text, also inside of a word. */
function hasPart({ text }: SearchWords): SQL {
  // In a subquery, which is computed once and not for each row.
  return sql`e.parts like (select '%' || regexp_replace(lower(unaccent(${text})), '([\\\\%_])', '\\\\\\1', 'g') || '%')`;
}

/** Returns the expression for a query that combines queries of words; those without words (null) are left out. */
export function combineWords(words: readonly SQL[], kind: 'all' | 'any'): SQL {
  if (words.length === 0) return sql`null::tsquery`;
  const aggregate = kind === 'all' ? sql`search_all` : sql`search_any`;
  const rows = words.map((part) => sql`(${part})`);
  return sql`(select ${aggregate}(part) from (values ${sql.join(rows, sql`, `)}) parts(part))`;
}

/** Joins conditions. A query without words (null) is left out, as if it were not there. */
function join(parts: readonly Compiled[], kind: 'all' | 'any'): Compiled {
  const words = parts.flatMap((part) => ('words' in part ? [part.words] : []));
  const query = combineWords(words, kind);
  const tests = parts.flatMap((part) => ('test' in part ? [part.test] : []));
  if (tests.length === 0) return words.length === 0 ? { test: sql`true` } : { words: query };
  const found = sql`coalesce(e.terms @@ ${query}, ${kind === 'all'})`;
  const all = words.length === 0 ? tests : [...tests, found];
  return { test: sql`(${sql.join(all, kind === 'all' ? sql` and ` : sql` or `)})` };
}
