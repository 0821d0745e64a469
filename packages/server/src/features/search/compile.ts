import {
  parseSearchAge,
  parseSearchDate,
  SEARCH_OPERATORS,
  type SearchCondition,
  type SearchFilter,
} from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import { textArray } from '../sync/index.ts';

/** A condition on rows `e` of the index: a query of words, which may be null for one without words, or a boolean expression. */
type Compiled = { words: SQL } | { test: SQL };

const DAY_MS = 86_400_000;

/** Values for which a name of the provider differs from the one that people know. */
export type ResolveName = (filter: SearchFilter) => readonly string[];

/** Compiles searches. `now` is the time from which ages count, ms since 1970. */
export class SearchCompiler {
  readonly #now: number;
  readonly #resolveName: ResolveName;

  constructor({ now, resolveName }: { now: number; resolveName: ResolveName }) {
    this.#now = now;
    this.#resolveName = resolveName;
  }

  /**
   * Returns the condition as one query of words, and expressions that must hold, too. Dates cannot be part of the query.
   * @param lastWord the word that is still being typed: it also matches the beginnings of words
   */
  compile(condition: SearchCondition, lastWord?: SearchCondition): { words: SQL[]; tests: SQL[] } {
    const parts = condition.kind === 'all' ? condition.of : [condition];
    const compiled = parts.map((part) => this.#compile(part, lastWord));
    return {
      words: compiled.flatMap((part) => ('words' in part ? [part.words] : [])),
      tests: compiled.flatMap((part) => ('test' in part ? [part.test] : [])),
    };
  }

  #compile(condition: SearchCondition, lastWord: SearchCondition | undefined): Compiled {
    switch (condition.kind) {
      case 'words':
        return {
          words: condition.isPhrase
            ? sql`search_phrase_query(${condition.text})`
            : sql`search_words_query(${condition.text}, ${condition === lastWord})`,
        };
      case 'filter':
        return this.#compileFilter(condition);
      case 'not': {
        const part = this.#compile(condition.of, lastWord);
        return 'words' in part ? { words: sql`(!!(${part.words}))` } : { test: sql`not ${part.test}` };
      }
      default: {
        const parts = condition.of.map((part) => this.#compile(part, lastWord));
        return join(parts, condition.kind);
      }
    }
  }

  #compileFilter(filter: SearchFilter): Compiled {
    const { name, value } = filter;
    switch (SEARCH_OPERATORS[name].kind) {
      case 'words':
        return { words: sql`search_field_query(${name}, ${value})` };
      case 'choice':
        return { words: sql`search_lexeme(${`${name}:${value.toLowerCase()}`}, false)` };
      case 'name': {
        const names = textArray([value, ...this.#resolveName(filter)]);
        return {
          words: sql`(select search_any(search_lexeme(one, false)) from unnest(search_names(${name}, ${names})) one)`,
        };
      }
      default:
        return { test: this.#compileTime(filter) };
    }
  }

  #compileTime({ name, value }: SearchFilter): SQL {
    const isEarlier = name === 'before' || name === 'older_than';
    const time = SEARCH_OPERATORS[name].kind === 'date' ? parseSearchDate(value) : this.#ago(value);
    return isEarlier ? sql`e.occurred_at < ${time}` : sql`e.occurred_at >= ${time}`;
  }

  #ago(age: string): Date {
    return new Date(this.#now - (parseSearchAge(age) ?? 0) * DAY_MS);
  }
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
