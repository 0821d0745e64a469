import {
  type FacetName,
  facetOf,
  findSearchOperator,
  parseSearch,
  partsOfSearch,
  SEARCH_OPERATORS,
  type SearchCondition,
  type SearchFilter,
  type SearchOperatorName,
  type SearchToken,
  tokenizeSearch,
} from '@datadeck/contract';

/** Operators that narrow the whole search: one of them, or several of one facet any of which is enough, as in `label:{a b}`. */
export interface TextChoice {
  filters: readonly SearchFilter[];
  /** The facet of which they are values; undefined for e.g. `is:unread`. */
  facet: FacetName | undefined;
  /** Where they are in the text, with their brackets; offsets in UTF-16 units. */
  from: number;
  to: number;
}

/** Returns the range of some operators with the brackets around nothing else, and with an `OR` that joins nothing. */
function rangeOf(
  tokens: readonly SearchToken[],
  filters: readonly SearchFilter[],
): { from: number; to: number } {
  const [start, end] = [filters[0]?.from ?? 0, filters.at(-1)?.to ?? 0];
  let first = tokens.findIndex(({ from }) => from >= start);
  let last = tokens.findLastIndex(({ to }) => to <= end);
  for (;;) {
    const [before, after] = [tokens[first - 1]?.type, tokens[last + 1]?.type];
    if (before === 'open' && (after === 'close' || last === tokens.length - 1)) {
      first--;
      if (after === 'close') last++;
    } else if (before === 'operator' || before === 'or') first--;
    else if (after === 'or') last++;
    else break;
  }
  return { from: tokens[first]?.from ?? start, to: Math.max(end, tokens[last]?.to ?? end) };
}

const isFilter = (part: SearchCondition): part is SearchFilter => part.kind === 'filter';

/** Lists the operators that narrow the whole search: not those that are excluded, or of which words are an alternative. */
export function choicesIn(text: string): TextChoice[] {
  const tokens = tokenizeSearch(text);
  return partsOfSearch(parseSearch(text).condition).flatMap((part) => {
    const filters = part.kind === 'any' ? part.of : [part];
    if (!filters.every(isFilter)) return [];
    const [facet, ...others] = new Set(filters.map(facetOf));
    if (others.length > 0 || (filters.length > 1 && facet === undefined)) return [];
    return [{ filters, facet, ...rangeOf(tokens, filters) }];
  });
}

/** Returns a value as it is written: no quotation mark can stand in a phrase. */
const plainValue = (value: string) => value.replace(/["“”„]/g, ' ').trim();

const isSame = (a: string, b: string) => plainValue(a).toLowerCase() === plainValue(b).toLowerCase();

/** Returns whether a search has a day, month or year, which begin in a time zone. */
export function hasDate(text: string): boolean {
  return tokenizeSearch(text).some(({ type, text: name }) => {
    const operator = type === 'operator' ? findSearchOperator(name) : undefined;
    return operator !== undefined && SEARCH_OPERATORS[operator].kind === 'date';
  });
}

/** Writes the value of an operator, in quotation marks where it needs them. */
function writeValue(value: string): string {
  const plain = plainValue(value);
  const [token, ...others] = tokenizeSearch(plain);
  const isWord = token?.type === 'word' && token.text === plain && others.length === 0;
  return isWord ? plain : `"${plain}"`;
}

/** Writes an operator with its value, in quotation marks where the value needs them: `label:"to do"`. */
export function writeFilter(name: SearchOperatorName, value: string): string {
  return `${name}:${writeValue(value)}`;
}

/** Writes an operator any of whose values is enough: `label:{bug "to do"}`. */
function writeFilters(name: SearchOperatorName, values: readonly string[]): string {
  const [only = '', ...others] = values;
  return others.length === 0 ? writeFilter(name, only) : `${name}:{${values.map(writeValue).join(' ')}}`;
}

/** Puts operators before a text, so that they cannot become part of an open phrase or group. */
function prefixed(filters: string, text: string): string {
  // An `OR` at the beginning joins nothing yet.
  const start = tokenizeSearch(text).find(({ type }) => type !== 'or' && type !== 'and')?.from ?? text.length;
  return `${filters} ${text.slice(start)}`.trim();
}

/** Narrows a search by an operator. */
export function addFilter(text: string, name: SearchOperatorName, value: string): string {
  return prefixed(writeFilter(name, value), text);
}

/** Replaces the choices for which `write` returns a text; an empty one removes the choice. */
function rewritten(text: string, write: (choice: TextChoice) => string | undefined): string {
  let rest = text;
  for (const choice of choicesIn(text).reverse()) {
    const next = write(choice);
    if (next === undefined) continue;
    const pieces = [rest.slice(0, choice.from).trimEnd(), next, rest.slice(choice.to).trimStart()];
    rest = pieces.filter((piece) => piece !== '').join(' ');
  }
  return rest.trim();
}

/** Returns the text of a choice without the filters that a condition selects; undefined if it has none of them. */
function without({ filters }: TextChoice, isRemoved: (filter: SearchFilter) => boolean): string | undefined {
  const kept = filters.filter((filter) => !isRemoved(filter));
  const [first] = kept;
  if (kept.length === filters.length) return undefined;
  // Alternatives of a day before and a day after are removed together.
  return first && kept.every(({ name }) => name === first.name)
    ? writeFilters(
        first.name,
        kept.map(({ value }) => value),
      )
    : '';
}

/** Removes one operator, or one of its values. @param removed from `choicesIn` */
export function removeFilter(text: string, { from }: Pick<SearchFilter, 'from'>): string {
  return rewritten(text, (choice) => without(choice, (filter) => filter.from === from));
}

/** Removes all operators that narrow the search; words stay. */
export function removeAllFilters(text: string): string {
  return rewritten(text, () => '');
}

/** A facet whose values are operators in the text. */
export type TextFacet = Exclude<FacetName, 'provider' | 'entity' | 'month'>;

const operatorOf = (facet: TextFacet): SearchOperatorName => (facet === 'state' ? 'is' : facet);

/** Returns the values of a facet to which the text narrows the search. */
export function valuesIn(text: string, facet: FacetName): string[] {
  return choicesIn(text)
    .filter((choice) => choice.facet === facet)
    .flatMap(({ filters }) => filters.map(({ value }) => value));
}

/** Returns whether the text narrows the search to a value of a facet, perhaps beside others. */
export function hasValue(text: string, facet: FacetName, value: string): boolean {
  return valuesIn(text, facet).some((one) => isSame(one, value));
}

/** Narrows the search to a value of a facet beside those that it has, or takes it back. */
export function toggleValue(text: string, facet: TextFacet, value: string): string {
  if (hasValue(text, facet, value))
    return rewritten(text, (choice) =>
      choice.facet === facet ? without(choice, (one) => isSame(one.value, value)) : undefined,
    );
  const values = [...valuesIn(text, facet), value];
  const rest = rewritten(text, (choice) => (choice.facet === facet ? '' : undefined));
  return prefixed(writeFilters(operatorOf(facet), values), rest);
}

/** Days, months or years from and before which records are searched. */
export interface TextPeriod {
  after?: string | undefined;
  before?: string | undefined;
}

/** Returns the period to which the text narrows the search; undefined for none, and for alternatives of periods. */
export function periodIn(text: string): TextPeriod | undefined {
  const filters = choicesIn(text)
    .filter(({ facet }) => facet === 'month')
    .flatMap((choice) => choice.filters);
  const lastOf = (wanted: SearchOperatorName) => filters.findLast(({ name }) => name === wanted)?.value;
  return filters.length > 0 ? { after: lastOf('after'), before: lastOf('before') } : undefined;
}

/** Narrows the search to a period, which replaces other ones. Undefined searches all times. */
export function withPeriod(text: string, period: TextPeriod | undefined): string {
  const rest = rewritten(text, ({ facet }) => (facet === 'month' ? '' : undefined));
  const { after, before } = period ?? {};
  const written = [after && writeFilter('after', after), before && writeFilter('before', before)];
  return prefixed(written.filter(Boolean).join(' '), rest);
}
