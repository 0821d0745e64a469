import type {
  ConnectorDocument,
  DocumentEntity,
  DocumentRequest,
} from '@datadeck/contract/connector-document';
import { JsonataError, parse } from '@datadeck/jsonata';
import { pathExpressions } from '../path-holes.ts';
import { IDENTITY } from './recorded-answer.ts';

/** What the expressions that read the answers of an entity mention. */
export interface DocumentWords {
  /** Texts that they compare with, and words of regular expressions. */
  texts: ReadonlySet<string>;
  numbers: ReadonlySet<number>;
  /** Names of fields, headers and query parameters. */
  names: ReadonlySet<string>;
}

/** Names on the ways to what an entity reads of its list as a whole. */
export interface ListNames {
  /** To its records. */
  records: ReadonlySet<string>;
  /** To the number of all of them. */
  total: ReadonlySet<string>;
}

function holesOf(path: string): string[] {
  try {
    return pathExpressions(path);
  } catch {
    // A path with an open bracket has no request either.
    return [];
  }
}

function requestExpressions({ path, query, headers, body }: DocumentRequest): (string | undefined)[] {
  return [...holesOf(path), ...Object.values(query), ...Object.values(headers), body];
}

/** Returns the expressions of the entities below one that read its records as `parent`. */
function expressionsBelow(
  { entities }: Pick<ConnectorDocument, 'entities'>,
  id: string,
  depth = 0,
): string[] {
  const children = depth < 2 ? entities.filter(({ parent }) => parent === id) : [];
  return children.flatMap(({ request, add, key, id: child }) => [
    ...[...requestExpressions(request), ...Object.values(add), key].filter(
      (expression): expression is string => expression !== undefined && /\bparent\b/.test(expression),
    ),
    ...expressionsBelow({ entities }, child, depth + 1),
  ]);
}

function entityExpressions(document: ConnectorDocument, entity: DocumentEntity): (string | undefined)[] {
  const { records, total, pagination, add, key, date, columns } = entity;
  return [
    records,
    total,
    'next' in pagination ? pagination.next : undefined,
    ...Object.values(add),
    key,
    date,
    ...Object.values(columns).map(({ value }) => value),
    ...expressionsBelow(document, entity.id),
  ];
}

/** Returns the names that the document itself sends or reads without an expression. */
function plainNames({ request, pagination, incremental, reading }: DocumentEntity): string[] {
  const { body = '', address = '', facts } = reading;
  return [
    ...Object.keys(request.query),
    'parameter' in pagination ? pagination.parameter : '',
    'sizeParameter' in pagination ? (pagination.sizeParameter ?? '') : '',
    incremental?.parameter?.name ?? '',
    ...[body, address, ...facts.map(({ field }) => field)].flatMap((path) => path.split('.')),
  ];
}

interface Collected {
  texts: Set<string>;
  numbers: Set<number>;
  names: Set<string>;
}

const nothingCollected = (): Collected => ({ texts: new Set(), numbers: new Set(), names: new Set() });

/** Adds the texts, numbers and names of a syntax tree to those that are known. */
function collect(node: unknown, into: Collected): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, value } = node as { type?: unknown; value?: unknown };
  if (value instanceof RegExp) {
    const source = value.source.replaceAll(/\\[A-Za-z]/g, ' ');
    for (const [word] of source.matchAll(/\p{L}{2,60}/gu)) into.texts.add(word);
  } else if (type === 'string') into.texts.add(String(value));
  else if (type === 'number') into.numbers.add(Number(value));
  else if (type === 'name') into.names.add(String(value));
  for (const inner of Object.values(node)) collect(inner, into);
}

/** Adds those of an expression; one that is not well formed has none. */
function collectFrom(expression: string | undefined, into: Collected): void {
  if (expression === undefined) return;
  try {
    collect(parse(expression), into);
  } catch (error) {
    if (!(error instanceof JsonataError)) throw error;
  }
}

/**
 * Returns what the expressions mention that read the answers of an entity: its own, `failed`, and the requests of the entities
 * below it.
 * @param id of the entity; `identity` for the request about the account
 */
export function documentWords(document: ConnectorDocument, id: string): DocumentWords {
  const { identity, failed } = document;
  const entity = id === IDENTITY ? undefined : document.entities.find((one) => one.id === id);
  const expressions = entity ? entityExpressions(document, entity) : [identity?.subject, identity?.account];
  const words = nothingCollected();
  for (const name of entity ? plainNames(entity) : []) words.names.add(name);
  for (const expression of [...expressions, failed]) collectFrom(expression, words);
  words.names.delete('');
  words.texts.delete('');
  return words;
}

/** Returns the names that the expressions of an entity mention to find its records, and their total. */
export function listNames({ records, total }: Pick<DocumentEntity, 'records' | 'total'>): ListNames {
  const namesIn = (expression: string | undefined) => {
    const found = nothingCollected();
    collectFrom(expression, found);
    return new Set([...found.names, ...found.texts]);
  };
  return { records: namesIn(records), total: namesIn(total) };
}
