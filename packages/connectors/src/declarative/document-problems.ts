import { matchesPattern } from '@datadeck/contract';
import {
  type ConnectorDocument,
  type DocumentCondition,
  type DocumentEntity,
  type DocumentField,
  type DocumentTemplate,
  headerNameSchema,
} from '@datadeck/contract/connector-document';
import { SYSTEM_COLUMNS } from '../sdk/index.ts';
import { addressFieldOf, ENTERED_ADDRESS } from './access.ts';
import { checkHiddenFields } from './secret-problems.ts';

/** A fault of a document: `{ path: 'entities.0.sortedBy', message: 'There is no column updated.' }`. */
export interface DocumentProblem {
  path: string;
  message: string;
}

/** Columns that PostgreSQL adds to every table. */
const POSTGRES_COLUMNS = ['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'];
/** Names of columns that every table has. */
export const RESERVED_COLUMNS: readonly string[] = [...SYSTEM_COLUMNS, ...POSTGRES_COLUMNS, 'account'];
/** Key of which `/auth/demo` is another sign-in. */
const RESERVED_KEY = 'demo';
/** Most days that a condition counts back; PostgreSQL has no interval of any length. */
const MAX_DAYS = 100_000;
/** Most parents, one above the other, that an entity has. */
const MAX_DEPTH = 2;

/** The members of paginations that some kinds lack. */
const NO_PAGES = { parameter: undefined, sizeParameter: undefined, in: undefined, firstOnly: undefined };

type Report = (path: string, message: string) => void;
type ColumnType = DocumentEntity['columns'][string]['type'];

function checkColumn(
  { columns }: DocumentEntity,
  path: string,
  name: string | undefined,
  types: readonly ColumnType[],
  report: Report,
): void {
  if (name === undefined) return;
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (!column) report(path, `There is no column ${name}.`);
  else if (!types.includes(column.type))
    report(path, `The column ${name} must be of type ${types.join(' or ')}.`);
}

const ANY = ['text', 'integer', 'bigint', 'number', 'boolean', 'time', 'texts'] as const;
const NUMBERS = ['integer', 'bigint', 'number'] as const;

function checkCondition(
  entity: DocumentEntity,
  path: string,
  condition: DocumentCondition,
  report: Report,
): void {
  const { column, is, value } = condition;
  const type = entity.columns[column]?.type;
  checkColumn(entity, path, column, ANY, report);
  if (is === 'set' || is === 'unset') return;
  const isDays = is === 'older-than-days' || is === 'within-days';
  if (isDays) checkColumn(entity, path, column, ['time'], report);
  const expected =
    isDays || NUMBERS.some((one) => one === type) ? 'number' : type === 'boolean' ? 'boolean' : 'string';
  if (type === 'texts' || (type === 'time' && !isDays))
    report(path, `The column ${column} has no such condition.`);
  else if (typeof value !== expected)
    report(path, `Its value must be a ${expected === 'string' ? 'text' : expected}.`);
  else if (isDays && Math.abs(Number(value)) > MAX_DAYS)
    report(path, `Its value is at most ${MAX_DAYS.toLocaleString('en')} days.`);
  else if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
    report(path, 'Its value has a character that no text of the database has.');
}

function checkTemplate(
  entity: DocumentEntity,
  path: string,
  template: DocumentTemplate,
  report: Report,
): void {
  if (template.description.trim() === '') report(`${path}.description`, 'It is empty: enter a text.');
  if (template.kind === 'records') return;
  for (const [index, condition] of template.where.entries())
    checkCondition(entity, `${path}.where.${index}`, condition, report);
  if (template.kind === 'rows') {
    for (const name of template.columns) checkColumn(entity, `${path}.columns`, name, ANY, report);
    for (const { by } of template.orderBy) checkColumn(entity, `${path}.orderBy`, by, ANY, report);
    return;
  }
  const { by, per, measures, orderBy } = template;
  checkColumn(entity, `${path}.by`, by, per === undefined ? ANY : ['time'], report);
  for (const [index, { of, column }] of measures.entries()) {
    const at = `${path}.measures.${index}`;
    if (of === 'count') checkColumn(entity, at, column, ANY, report);
    else if (column === undefined) report(at, 'It needs a column.');
    else
      checkColumn(
        entity,
        at,
        column,
        of === 'least' || of === 'most' ? [...NUMBERS, 'time'] : NUMBERS,
        report,
      );
  }
  const known = [by, ...measures.map(({ name }) => name)];
  if (new Set(known).size < known.length) report(`${path}.measures`, 'Two of its columns have one name.');
  for (const { by: name } of orderBy)
    if (!known.includes(name)) report(`${path}.orderBy`, `It has no measure ${name}.`);
}

function isPattern(pattern: string): boolean {
  try {
    matchesPattern('', pattern);
    return true;
  } catch {
    return false;
  }
}

function checkFields(fields: readonly DocumentField[], path: string, report: Report): void {
  for (const name of repeated(fields.map((field) => field.name)))
    report(path, `Two fields have the name ${name}.`);
  for (const [index, { pattern }] of fields.entries())
    if (!isPattern(pattern)) report(`${path}.${index}.pattern`, 'The pattern is no regular expression.');
}

/** Returns how many parents an entity has; Infinity in a circle. */
function depthOf(document: ConnectorDocument, entity: DocumentEntity): number {
  let depth = 0;
  for (let id = entity.parent; id !== undefined; depth++) {
    if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY;
    id = document.entities.find((one) => one.id === id)?.parent;
  }
  return depth;
}

function checkEntity(
  document: ConnectorDocument,
  entity: DocumentEntity,
  path: string,
  report: Report,
): void {
  const { id, parent, columns, titleColumn, sortedBy, incremental, reading, templates, settings } = entity;
  checkFields(settings, `${path}.settings`, report);
  checkPagination(entity, `${path}.pagination`, report);
  if (!id.startsWith(`${document.key}-`)) report(`${path}.id`, `It must begin with ${document.key}-.`);
  if (parent !== undefined && document.entities.every((one) => one.id !== parent))
    report(`${path}.parent`, `There is no entity ${parent}.`);
  if (depthOf(document, entity) > MAX_DEPTH)
    report(`${path}.parent`, `An entity has at most ${MAX_DEPTH} parents above it, and is none of them.`);
  for (const name of Object.keys(columns))
    if (RESERVED_COLUMNS.includes(name))
      report(`${path}.columns.${name}`, 'Every table has a column of this name.');
  checkColumn(entity, `${path}.titleColumn`, titleColumn, ['text'], report);
  checkColumn(entity, `${path}.sortedBy`, sortedBy, ['time'], report);
  checkColumn(entity, `${path}.incremental.column`, incremental?.column, ['time', ...NUMBERS], report);
  checkColumn(entity, `${path}.reading.person`, reading.person, ['text'], report);
  checkColumn(entity, `${path}.reading.labels`, reading.labels, ['texts'], report);
  for (const [index, template] of templates.entries())
    checkTemplate(entity, `${path}.templates.${index}`, template, report);
}

/** Checks that what a pagination sends as a header can be one, and that the query has what only the first page has. */
function checkPagination({ pagination, request }: DocumentEntity, path: string, report: Report): void {
  const { parameter, sizeParameter, in: place, firstOnly = [] } = { ...NO_PAGES, ...pagination };
  for (const [index, name] of firstOnly.entries()) {
    const isOfPages = (place ?? 'query') === 'query' && [parameter, sizeParameter].includes(name);
    if (isOfPages) report(`${path}.firstOnly.${index}`, `Later pages need the parameter ${name}.`);
    else if (!Object.hasOwn(request.query, name))
      report(`${path}.firstOnly.${index}`, `The query has no parameter ${name}.`);
  }
  if (place !== 'header') return;
  for (const [name, header] of Object.entries({ parameter, sizeParameter }))
    if (header !== undefined && !headerNameSchema.safeParse(header).success)
      report(`${path}.${name}`, 'It must name a header, in small letters, that the product does not set.');
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

/** Returns the addresses of a document by path, with a label in the place of a hole. */
function addressesOf({ baseUrl, authentication }: ConnectorDocument): [path: string, address: string][] {
  const base: [string, string] = ['baseUrl', baseUrl.replace(/\{[^{}]*\}/, 'label')];
  const others = ['tokenUrl', 'authorizationUrl', 'issuer'].flatMap((name): [string, string][] => {
    const address = (authentication as Readonly<Record<string, unknown>>)[name];
    return typeof address === 'string' ? [[`authentication.${name}`, address]] : [];
  });
  return baseUrl === ENTERED_ADDRESS ? others : [base, ...others];
}

/** Returns the faults of a document that its schema does not see; the expressions are not evaluated. */
export function documentProblems(document: ConnectorDocument): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const report: Report = (path, message) => problems.push({ path, message });
  const { authentication, connect, baseUrl, entities } = document;
  const names = connect.fields.map(({ name }) => name);
  const isEntered = authentication.kind !== 'none' && authentication.kind !== 'oauth-code';
  if ((connect.secret !== undefined) !== isEntered)
    report(
      'connect.secret',
      isEntered
        ? 'This authentication needs a secret.'
        : 'This authentication has no secret that a person enters.',
    );
  if (authentication.kind === 'oauth-code' && names.length > 0)
    report('connect.fields', 'An account that is connected on the page of the provider has no form.');
  if (authentication.kind === 'oauth-code' && !document.identity)
    report('identity', 'The page of the provider does not say who connected, so a request must.');
  checkHiddenFields(document, report);
  const hole = addressFieldOf(document);
  if (hole !== undefined && !names.includes(hole)) report('baseUrl', `The form has no field ${hole}.`);
  if (baseUrl === ENTERED_ADDRESS && authentication.kind !== 'none')
    report('baseUrl', 'Only a connector without a secret reads from an address that a person enters.');
  for (const [path, address] of addressesOf(document))
    if (!URL.canParse(address)) report(path, 'It is no address: check host and port.');
  if (document.key === RESERVED_KEY) report('key', 'This key belongs to the product. Choose another one.');
  checkFields(connect.fields, 'connect.fields', report);
  for (const [index, { entities: named = [] }] of document.failures.entries())
    for (const id of named)
      if (entities.every((entity) => entity.id !== id))
        report(`failures.${index}.entities`, `There is no entity ${id}.`);
  for (const [index, { means, status, contains }] of document.failures.entries())
    if (means === 'no-records' && status === undefined && contains === undefined)
      report(
        `failures.${index}.means`,
        'It would take each failure for an empty list: name a status or a text.',
      );
  const { secret } = connect;
  if (secret && names.includes(secret.name))
    report('connect.secret.name', `Two fields have the name ${secret.name}.`);
  if (secret && !isPattern(secret.pattern))
    report('connect.secret.pattern', 'The pattern is no regular expression.');
  for (const id of repeated(entities.map((entity) => entity.id)))
    report('entities', `Two entities have the id ${id}.`);
  for (const key of repeated(entities.flatMap(({ templates }) => templates.map((template) => template.key))))
    report('entities', `Two templates have the key ${key}.`);
  for (const [index, entity] of entities.entries())
    checkEntity(document, entity, `entities.${index}`, report);
  return problems;
}
