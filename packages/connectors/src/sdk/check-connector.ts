import {
  type ConnectForm,
  checkConnectValues,
  findSearchOperator,
  matchesPattern,
  PLANS,
  SEARCH_OPERATORS,
  type SearchOperator,
} from '@datadeck/contract';
import { scopeProblems } from './check-scopes.ts';
import type { Connector, EntityDefinition } from './connector.ts';
import type { Json, JsonObject } from './json.ts';
import type { ReadingDefinition } from './record-display.ts';
import { SEARCH_WEIGHTS, type SearchDefinition } from './search.ts';
import {
  COLUMN_TYPES,
  type ColumnDefinition,
  SYSTEM_COLUMNS,
  type TableDefinition,
  type TemplateDefinition,
} from './table.ts';

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
  const { texts, words, names, states, person, people, labels, parts, excerpt, details = 'null' } = search;
  const { ids = 'null', copyId = 'null' } = search.conversation ?? {};
  const expressions = [texts, words, names, states].flatMap((group) => Object.entries(group));
  return [...expressions, ...Object.entries({ person, people, labels, parts, excerpt, details, ids, copyId })]
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

/** Names that need no quotes in SQL and are short enough to derive index names from. */
const NAME = /^[a-z][a-z0-9_]{0,40}$/;

function columnProblems(
  name: string,
  { type, copies, standIns, fractionDigits, maxLength }: ColumnDefinition,
): string[] {
  const hasInstantText = type === 'timestamptz' && copies !== undefined;
  return [
    ...(NAME.test(name) ? [] : ['its name is none']),
    ...([...SYSTEM_COLUMNS, 'account'].includes(name) ? ['its name is a column of every table'] : []),
    ...(COLUMN_TYPES.includes(type) ? [] : [`there is no type ${type}`]),
    ...(maxLength === undefined || (type === 'text' && copies === undefined)
      ? []
      : ['only a text column that copies no field has a maximum of its own']),
    ...(copies?.length === 0 ? ['the path that it copies is empty'] : []),
    ...(copies === undefined && standIns !== undefined ? ['it has stand-ins but copies no field'] : []),
    ...(hasInstantText === (fractionDigits !== undefined)
      ? []
      : ['an instant that copies a field has fraction digits, and no other column has']),
  ].map((problem) => `column ${name}: ${problem}`);
}

function ownProblems(id: string, { name, columns, title, listedBy }: TableDefinition): string[] {
  const expected = id.replaceAll('-', '_');
  return [
    ...(name === expected && NAME.test(name) ? [] : [`its table is not called ${expected}`]),
    ...Object.entries(columns).flatMap(([column, definition]) => columnProblems(column, definition)),
    ...(Object.hasOwn(columns, title) && columns[title]?.type === 'text'
      ? []
      : ['the title of its table is no text column']),
    ...(listedBy === undefined || columns[listedBy]?.type === 'timestamptz'
      ? []
      : ['its table is not listed by a timestamptz column']),
  ];
}

function templateProblems(template: TemplateDefinition, { table, dependsOn }: EntityDefinition): string[] {
  const { key, title, description } = template;
  const problems = [title, description].some((text) => text.trim() === '')
    ? ['it has no title or no description']
    : [];
  if (template.kind === 'documents') {
    const last = template.orderBy.at(-1);
    if (last?.by !== 'id') problems.push('its order does not end with id');
  } else {
    if (!template.sql.includes(table.name)) problems.push('its SQL does not read the table');
    if (template.sql.includes(';')) problems.push('its SQL has a semicolon');
    if (!/\border by\b/i.test(template.sql)) problems.push('its SQL has no order');
    const { alsoReads } = template;
    if (alsoReads !== undefined && dependsOn.every(({ entity }) => entity !== alsoReads))
      problems.push(`it reads ${alsoReads}, on which its entity does not depend`);
  }
  return problems.map((problem) => `template ${key}: ${problem}`);
}

/** Returns the faults of the table and templates that an entity declares; an empty list if there are none. */
function tableProblems(entity: EntityDefinition): string[] {
  const { id, table, templates, extraction } = entity;
  return [
    ...(Number.isInteger(extraction) && extraction > 0 ? [] : ['its extraction has no version']),
    ...ownProblems(id, table),
    ...templates.flatMap((template) => templateProblems(template, entity)),
  ];
}

/** Keys are part of URLs. */
const KEY = /^[a-z][a-z0-9-]*$/;
/** `/auth/demo` is reserved for the demo user's sign-in. */
const RESERVED_KEYS = ['demo'];
/** HTML allowed in descriptions: elements without attributes, and https links. */
const HARMLESS = /<\/?(?:p|strong|em|b|i|code|ul|ol|li|br)>|<a href="https:\/\/[^"<>]*">|<\/a>/g;

function isPattern(pattern: string): boolean {
  try {
    matchesPattern('', pattern);
    return true;
  } catch {
    return false;
  }
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function limitProblems({ limits }: EntityDefinition): string[] {
  return PLANS.filter((plan) => {
    const { cap, monthlyRuns } = limits[plan];
    return ![cap, monthlyRuns].every((limit) => limit === null || (Number.isInteger(limit) && limit > 0));
  }).map((plan) => `its limits of the plan ${plan} are no counts`);
}

function entityProblems(connector: Connector, entity: EntityDefinition): string[] {
  const { id, title, description, dependsOn, settings, idLists = {}, globalIds, table } = entity;
  const known = connector.entities.map((one) => one.id);
  return [
    ...(KEY.test(id) ? [] : ['its id does not fit into an address']),
    ...(title.trim() === '' ? ['it has no title'] : []),
    ...(/[<>]/.test(description.replaceAll(HARMLESS, ''))
      ? ['its description has HTML that is not shown']
      : []),
    ...dependsOn
      .filter((one) => !known.includes(one.entity))
      .map((one) => `there is no entity ${one.entity}`),
    ...Object.entries(idLists)
      .filter(
        ([key, ids]) =>
          settings.every(({ propKey }) => propKey !== key) || dependsOn.every((one) => one.entity !== ids),
      )
      .map(([key]) => `its list of ids ${key} is no setting, or its entity does not depend on the ids' one`),
    ...repeated(settings.map(({ propKey }) => propKey)).map((key) => `it has two settings ${key}`),
    ...settings
      .filter(({ pattern }) => !isPattern(pattern))
      .map(({ propKey }) => `${propKey} has no pattern`),
    ...limitProblems(entity),
    ...tableProblems(entity),
    ...(globalIds === undefined || table.columns[globalIds.newestBy]?.type === 'timestamptz'
      ? []
      : ['its newest copies are not found by a timestamptz column']),
    ...findingProblems(entity),
    ...scopeProblems(entity, connector.apiUrl !== undefined),
  ].map((problem) => `entity ${id}: ${problem}`);
}

function presetProblems({ fields, presets }: ConnectForm): string[] {
  return presets.flatMap(({ label, values }) => {
    const known = fields.filter(({ name }) => name in values);
    const errors = Object.keys(checkConnectValues(known, values).errors);
    const unknown = Object.keys(values).filter((name) => fields.every((field) => field.name !== name));
    return [...errors, ...unknown].map((name) => `preset ${label}: it has a wrong value for ${name}`);
  });
}

function formProblems({ authorization, formAuthorization }: Connector): string[] {
  if (!formAuthorization) return authorization ? [] : ['there is no way to connect it'];
  const { fields } = formAuthorization.form;
  const wrong = fields.filter(({ pattern }) => !isPattern(pattern));
  if (wrong.length > 0) return wrong.map(({ name }) => `field ${name}: its pattern is none`);
  const defaults = fields.filter(({ defaultValue }) => defaultValue !== '');
  const given = Object.fromEntries(defaults.map(({ name, defaultValue }) => [name, defaultValue]));
  return [
    ...repeated(fields.map(({ name }) => name)).map((name) => `it has two fields ${name}`),
    ...Object.keys(checkConnectValues(defaults, given).errors).map(
      (name) => `field ${name} does not take its own default`,
    ),
    ...presetProblems(formAuthorization.form),
  ];
}

/** Returns the faults of a connector's declaration as sentences; an empty list if there are none. */
export function declarationProblems(connector: Connector): string[] {
  const { key, title, quota, apiUrl, classify, entities } = connector;
  const { concurrency, maxConcurrency = concurrency } = quota;
  return [
    ...(KEY.test(key) && !RESERVED_KEYS.includes(key) ? [] : ['its key does not fit into an address']),
    ...(title.trim() === '' ? ['it has no title'] : []),
    ...(quota.unitsPerMinute > 0 ? [] : ['its quota lets nothing in']),
    ...(Number.isInteger(concurrency) && concurrency > 0 && maxConcurrency >= concurrency
      ? []
      : ['its concurrency is no count, or more than the most']),
    ...((apiUrl === undefined) === (classify === undefined)
      ? []
      : ['an address of an API and the meaning of its refusals belong together']),
    ...(entities.length > 0 ? [] : ['it has no entities']),
    ...repeated(entities.map(({ id }) => id)).map((id) => `it has two entities ${id}`),
    ...repeated(entities.flatMap(({ templates }) => templates.map((template) => template.key))).map(
      (name) => `it has two templates ${name}`,
    ),
    ...formProblems(connector),
    ...entities.flatMap((entity) => entityProblems(connector, entity)),
  ].map((problem) => `connector ${key}: ${problem}`);
}
