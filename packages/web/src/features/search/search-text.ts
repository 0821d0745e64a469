import {
  findSearchOperator,
  SEARCH_OPERATORS,
  type SearchOperatorName,
  type SearchToken,
  tokenizeSearch,
} from '@datadeck/contract';

/** An operator with its value in the text of a search; `from` and `to` are offsets, UTF-16 units. */
interface TextFilter {
  name: SearchOperatorName;
  value: string;
  from: number;
  to: number;
}

const isValue = (token: SearchToken | undefined) => token?.type === 'word' || token?.type === 'phrase';

/** Lists the operators that narrow the whole search: those that are not excluded, in parentheses or braces, or next to an OR. */
export function filtersOf(text: string): TextFilter[] {
  const tokens = tokenizeSearch(text);
  const filters: TextFilter[] = [];
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'open') depth++;
    if (token.type === 'close') depth = Math.max(0, depth - 1);
    const [before, value, after] = [tokens[index - 1]?.type, tokens[index + 1], tokens[index + 2]?.type];
    const name = token.type === 'operator' ? findSearchOperator(token.text) : undefined;
    if (name === undefined || !value || !isValue(value) || depth > 0) continue;
    if (before === 'not' || before === 'or' || after === 'or') continue;
    filters.push({ name, value: value.text.trim(), from: token.from, to: value.to });
  }
  return filters;
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Returns whether a search has a day, month or year, which begin in a time zone. */
export function hasDate(text: string): boolean {
  return tokenizeSearch(text).some(({ type, text: name }) => {
    const operator = type === 'operator' ? findSearchOperator(name) : undefined;
    return operator !== undefined && SEARCH_OPERATORS[operator].kind === 'date';
  });
}

/** Writes an operator with its value, in quotation marks where the value needs them: `label:"to do"`. */
export function writeFilter(name: SearchOperatorName, value: string): string {
  // No quotation mark can stand in a phrase.
  const plain = value.replace(/["“”„]/g, ' ').trim();
  const [token, ...others] = tokenizeSearch(plain);
  const isWord = token?.type === 'word' && token.text === plain && others.length === 0;
  return `${name}:${isWord ? plain : `"${plain}"`}`;
}

/** Returns whether the text narrows the search by this operator and value. */
export function hasFilter(text: string, name: SearchOperatorName, value: string): boolean {
  return filtersOf(text).some((filter) => filter.name === name && isSame(filter.value, value));
}

/** Narrows a search. The operator comes first, so that it cannot become part of an open phrase or group. */
export function addFilter(text: string, name: SearchOperatorName, value: string): string {
  return `${writeFilter(name, value)} ${text.trimStart()}`.trimEnd();
}

/** Removes the operators that a condition selects. */
function removeFilters(text: string, isRemoved: (filter: TextFilter) => boolean): string {
  let rest = text;
  for (const { from, to } of filtersOf(text).filter(isRemoved).reverse())
    rest = `${rest.slice(0, from).trimEnd()} ${rest.slice(to).trimStart()}`;
  return rest.trim();
}

/** Removes an operator with this value from a search. */
export function removeFilter(text: string, name: SearchOperatorName, value: string): string {
  return removeFilters(text, (filter) => filter.name === name && isSame(filter.value, value));
}

/** Removes all operators that narrow the search; words stay. */
export function removeAllFilters(text: string): string {
  return removeFilters(text, () => true);
}

/** Returns the month or year after one: `2026-12` → `2027-01`, `2026` → `2027`. */
function nextMonth(month: string): string {
  const [year = 0, number] = month.split('-').map(Number);
  if (number === undefined) return String(year + 1);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}

/** Returns whether the text narrows the search to a month, e.g. `2026-11`. */
export function hasMonth(text: string, month: string): boolean {
  return hasFilter(text, 'after', month) && hasFilter(text, 'before', nextMonth(month));
}

/** Narrows a search to a month. Other days and months are removed. */
export function addMonth(text: string, month: string): string {
  const rest = removeFilters(text, ({ name }) => name === 'after' || name === 'before');
  return addFilter(addFilter(rest, 'before', nextMonth(month)), 'after', month);
}

export function removeMonth(text: string, month: string): string {
  return removeFilter(removeFilter(text, 'after', month), 'before', nextMonth(month));
}
