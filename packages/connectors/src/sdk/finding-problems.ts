import { findSearchOperator, SEARCH_OPERATORS, type SearchOperator } from '@datadeck/contract';
import type { EntityDefinition } from './connector.ts';
import type { Json, JsonObject } from './json.ts';
import type { ReadingDefinition } from './record-display.ts';
import { SEARCH_WEIGHTS, type SearchDefinition } from './search.ts';

/** Matches a column of `document`. */
const DOCUMENT_COLUMN = /^\s*"[A-Za-z_][A-Za-z0-9_]{0,60}" (?:text|json)\s*$/;

function operatorProblem(name: string, kind: SearchOperator['kind']): string[] {
  const operator = findSearchOperator(name);
  if (operator === undefined || operator !== name) return [`there is no operator ${name}`];
  return SEARCH_OPERATORS[operator].kind === kind
    ? []
    : [`the operator ${name} takes no ${kind === 'words' ? 'words' : 'names'}`];
}

function stateProblem(state: string): string[] {
  const [name = '', value, ...rest] = state.split(':');
  const operator = findSearchOperator(name);
  const { values }: SearchOperator = operator ? SEARCH_OPERATORS[operator] : SEARCH_OPERATORS.from;
  const isKnown = operator === name && value !== undefined && rest.length === 0 && values?.includes(value);
  return isKnown ? [] : [`there is no state ${state}`];
}

function sqlProblems(search: SearchDefinition): string[] {
  const { texts, words, names, states, person, people, labels, parts, excerpt } = search;
  const expressions = [texts, words, names, states].flatMap((group) => Object.entries(group));
  return [...expressions, ...Object.entries({ person, people, labels, parts, excerpt })]
    .filter(([, sql]) => sql.trim() === '' || sql.includes(';'))
    .map(([name]) => `the expression of ${name} is empty or has a semicolon`);
}

function searchProblems(search: SearchDefinition): string[] {
  const { document, texts, words, names, states } = search;
  const weights = Object.keys(texts);
  return [
    ...document
      .split(',')
      .filter((column) => !DOCUMENT_COLUMN.test(column))
      .map((column) => `${column.trim()} is no column of text or json`),
    ...weights
      .filter((weight) => !SEARCH_WEIGHTS.some((known) => known === weight))
      .map((weight) => `there is no weight ${weight}`),
    ...(weights.length > 0 ? [] : ['it has no texts']),
    ...Object.keys(words).flatMap((name) => operatorProblem(name, 'words')),
    ...Object.keys(names).flatMap((name) => operatorProblem(name, 'name')),
    ...Object.keys(states).flatMap(stateProblem),
    ...('from' in words || 'author' in words ? [] : ['neither from: nor author: finds a person']),
    ...sqlProblems(search),
  ];
}

/** Values that fields of a document may have, although they should not. */
const ODD_VALUES: readonly (Json | undefined)[] = [
  undefined,
  null,
  7,
  true,
  '',
  'x'.repeat(1000),
  [],
  {},
  [null, 7, 'x', [], {}],
  { name: [], address: {}, login: 7, repo: { full_name: null } },
  [[[{}]]],
];

function readingProblems({ fields, read }: ReadingDefinition): string[] {
  if (fields.length === 0) return ['it reads no fields'];
  return ODD_VALUES.flatMap((value) => {
    const document = Object.fromEntries(value === undefined ? [] : fields.map((name) => [name, value]));
    try {
      const { facts, labels, text } = read(document as JsonObject);
      const texts = [text, ...labels, ...facts.flatMap(({ title, values }) => [title, ...values])];
      return texts.every((one) => typeof one === 'string') ? [] : ['it returns values that are not texts'];
    } catch (error) {
      return [`it fails for a document with ${JSON.stringify(value)?.slice(0, 60)}: ${String(error)}`];
    }
  });
}

/** Returns the faults of an entity's search and reading; an empty list if there are none. */
export function findingProblems({ search, reading }: EntityDefinition): string[] {
  return [
    ...(search ? searchProblems(search) : []).map((problem) => `search: ${problem}`),
    ...(search && !reading ? ['search: it has no reading, so that nobody can open a result'] : []),
    ...(reading ? readingProblems(reading) : []).map((problem) => `reading: ${problem}`),
  ];
}
