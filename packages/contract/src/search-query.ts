import {
  findSearchOperator,
  hasSearchableText,
  operatorValueProblem,
  SEARCH_OPERATOR_NAMES,
  SEARCH_OPERATORS,
  type SearchOperatorName,
  shortened,
} from './search-operators.ts';
import { type SearchToken, tokenizeSearch } from './search-tokens.ts';

/** A condition of a search. `all` without conditions matches everything. */
export type SearchCondition =
  | { kind: 'all'; of: SearchCondition[] }
  | { kind: 'any'; of: SearchCondition[] }
  | { kind: 'not'; of: SearchCondition }
  | SearchWords
  | SearchFilter;

/** Where a word, a phrase or the value of an operator is in the text, with its quotes; offsets in UTF-16 units. */
interface SearchRange {
  from: number;
  to: number;
}

/** A word, or a phrase whose words follow each other, in any field. */
export interface SearchWords extends SearchRange {
  kind: 'words';
  text: string;
  isPhrase: boolean;
}

/** An operator with its value, e.g. `from:amy`. */
export interface SearchFilter extends SearchRange {
  kind: 'filter';
  name: SearchOperatorName;
  value: string;
}

/** Something in a search that its author should know. `from` and `to` are offsets in the text, UTF-16 units. */
export interface SearchProblem {
  message: string;
  from: number;
  to: number;
  /** True if the search cannot run; false for a remark. */
  isError: boolean;
}

export interface ParsedSearch {
  condition: SearchCondition;
  problems: SearchProblem[];
}

/** Bounds of a search: text in UTF-16 units, words and operators, nesting of parentheses. */
export const SEARCH_LIMITS = { text: 1000, terms: 40, depth: 5 } as const;

/**
 * Reads a search by recursive descent. Words that follow each other are all required; `OR` joins its two neighbours, as in
 * Gmail; `-` excludes; parentheses group, also after an operator: `from:(amy OR bob)`. Braces group words any of which is
 * enough: `from:{amy bob}`.
 */
class SearchReader {
  readonly problems: SearchProblem[] = [];
  readonly #tokens: readonly SearchToken[];
  #position = 0;
  #terms = 0;
  #hasSearchable = false;

  constructor(tokens: readonly SearchToken[]) {
    this.#tokens = tokens;
  }

  read(): SearchCondition {
    const parts: SearchCondition[] = [];
    while (this.#peek()) {
      parts.push(this.#readAll(0));
      const stray = this.#take('close');
      if (stray)
        this.#report(stray, `There is no opening ${bracketName(stray)} for this one. It is left out.`, false);
    }
    const ignored = this.#hasSearchable ? undefined : this.#tokens.find(isSign);
    if (ignored) this.#report(ignored, 'There are no letters or digits to search for.', false);
    return all(parts);
  }

  #peek(): SearchToken | undefined {
    return this.#tokens[this.#position];
  }

  #take(type: SearchToken['type']): SearchToken | undefined {
    const token = this.#peek();
    if (token?.type !== type) return undefined;
    this.#position++;
    return token;
  }

  #report({ from, to }: Pick<SearchToken, 'from' | 'to'>, message: string, isError = true): void {
    this.problems.push({ message, from, to, isError });
  }

  #readAll(depth: number, operator?: SearchOperatorName): SearchCondition {
    const parts: SearchCondition[] = [];
    for (let token = this.#peek(); token && token.type !== 'close'; token = this.#peek()) {
      if (this.#take('and')) continue;
      const part = this.#readAny(depth, operator);
      if (part) parts.push(part);
    }
    return all(parts);
  }

  #readAny(depth: number, operator?: SearchOperatorName): SearchCondition | undefined {
    const parts = [this.#readTerm(depth, operator)];
    for (let token = this.#take('or'); token; token = this.#take('or')) {
      const next = this.#readTerm(depth, operator);
      if (parts[0] === undefined || next === undefined)
        this.#report(
          token,
          'OR needs a word on both sides. It is left out. To search for it, write "OR".',
          false,
        );
      parts.push(next);
    }
    const found = parts.filter((part) => part !== undefined);
    return found.length > 1 ? { kind: 'any', of: found } : found[0];
  }

  /** Reads the words in braces. AND joins its two neighbours. */
  #readAlternatives(depth: number, operator?: SearchOperatorName): SearchCondition {
    const parts: SearchCondition[] = [];
    let isJoined = false;
    for (let token = this.#peek(); token && token.type !== 'close'; token = this.#peek()) {
      if (this.#take('or')) continue;
      if (this.#take('and')) {
        isJoined = parts.length > 0;
        continue;
      }
      const part = this.#readTerm(depth, operator);
      if (part) parts.push(isJoined ? all([parts.pop() as SearchCondition, part]) : part);
      isJoined = false;
    }
    return parts.length > 1 ? { kind: 'any', of: parts } : all(parts);
  }

  #readTerm(depth: number, operator?: SearchOperatorName): SearchCondition | undefined {
    const not = this.#take('not');
    if (not) {
      const of = this.#readTerm(depth, operator);
      if (!of)
        this.#report(
          not,
          `${not.text} needs a word. It is left out. To search for it, write "${not.text}".`,
          false,
        );
      return of && { kind: 'not', of };
    }
    const open = this.#take('open');
    if (open) return this.#readGroup(open, depth + 1, operator);
    const name = this.#take('operator');
    if (name) return this.#readOperator(name, depth);
    const token = this.#take('phrase') ?? this.#take('word');
    return token && this.#toTerm(token, operator);
  }

  #readGroup(open: SearchToken, depth: number, operator?: SearchOperatorName): SearchCondition {
    if (depth > SEARCH_LIMITS.depth) {
      this.#report(open, `Parentheses and braces may be nested ${SEARCH_LIMITS.depth} deep.`);
      // Without reading on: the recursion must end.
      this.#position = this.#tokens.length;
      return all([]);
    }
    const condition =
      open.text === '{' ? this.#readAlternatives(depth, operator) : this.#readAll(depth, operator);
    if (!this.#take('close'))
      this.#report(open, `The closing ${bracketName(open)} is missing. The group goes to the end.`, false);
    return condition;
  }

  #readOperator(token: SearchToken, depth: number): SearchCondition | undefined {
    const name = findSearchOperator(token.text);
    const value = this.#peek();
    const to = value?.to ?? token.to;
    if (name === undefined) {
      this.#position++;
      const known = SEARCH_OPERATOR_NAMES.map((one) => `${one}:`).join(', ');
      const quoted = `"${token.text}:${value?.type === 'word' ? shortened(value.text) : '…'}"`;
      this.#report(
        { from: token.from, to },
        `There is no operator ${token.text}:. To search for the text, write ${quoted}. Operators are ${known}.`,
      );
      return undefined;
    }
    if (value?.type === 'not' && value.from === token.to) {
      this.#report(
        token,
        `The minus sign goes before the operator, for example -${SEARCH_OPERATORS[name].example}.`,
      );
      return undefined;
    }
    const open = this.#take('open');
    if (open) return this.#readGroup(open, depth + 1, name);
    const taken = this.#take('phrase') ?? this.#take('word');
    if (taken) return this.#toTerm(taken, name, token.from);
    this.#report(token, `${operatorValueProblem(name, '')} It is left out.`, false);
    return undefined;
  }

  /** @param start of the operator, if the token is its value */
  #toTerm(
    token: SearchToken,
    operator?: SearchOperatorName,
    start = token.from,
  ): SearchCondition | undefined {
    const { from, to } = token;
    const marked = { from: start, to };
    this.#terms++;
    if (operator !== undefined || hasSearchableText(token.text)) this.#hasSearchable = true;
    if (this.#terms === SEARCH_LIMITS.terms + 1)
      this.#report(marked, `A search may have ${SEARCH_LIMITS.terms} words and operators.`);
    if (token.isUnclosed)
      this.#report(marked, 'The closing quotation mark is missing. The phrase goes to the end.', false);
    const text = token.text.trim();
    if (operator === undefined)
      return text === '' ? undefined : { kind: 'words', text, isPhrase: token.type === 'phrase', from, to };
    const problem = operatorValueProblem(operator, text);
    if (problem) this.#report(marked, problem);
    return problem ? undefined : { kind: 'filter', name: operator, value: text, from, to };
  }
}

/** Returns whether a token is of signs only. A single minus sign is about to exclude what follows. */
function isSign({ type, text }: SearchToken): boolean {
  return (type === 'word' || type === 'phrase') && text !== '-' && text !== '';
}

function bracketName({ text }: SearchToken): string {
  return text === '{' || text === '}' ? 'brace' : 'parenthesis';
}

/** Joins conditions that must all hold. */
function all(of: SearchCondition[]): SearchCondition {
  const [only] = of;
  return of.length === 1 && only ? only : { kind: 'all', of };
}

/**
 * Parses the text of a search. Never throws: what cannot be understood is in `problems`.
 *
 *     parseSearch('from:amy "annual report" -draft')
 *
 * @param text at most `SEARCH_LIMITS.text`; what is longer is a problem and not read
 */
export function parseSearch(text: string): ParsedSearch {
  if (text.length > SEARCH_LIMITS.text) {
    const { text: limit } = SEARCH_LIMITS;
    const message = `A search may have ${limit.toLocaleString('en')} characters. This one has ${text.length.toLocaleString('en')}.`;
    return { condition: all([]), problems: [{ message, from: limit, to: text.length, isError: true }] };
  }
  const reader = new SearchReader(tokenizeSearch(text));
  return { condition: reader.read(), problems: reader.problems };
}
