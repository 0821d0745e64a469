import { isDeepStrictEqual } from 'node:util';
import { withoutEndSlashes } from '../../sdk/index.ts';
import { pathExpressions } from '../path-holes.ts';
import { type Component, componentOf, componentsOf, splitTemplate, textOf } from './component.ts';
import { addressOf, originOf, requesterMethodOf, urlBaseOf } from './import-address.ts';
import { importColumns } from './import-columns.ts';
import { type ImportedFailure, importFailures } from './import-failures.ts';
import { type ImportedIncremental, importIncremental } from './import-incremental.ts';
import { importPagination } from './import-pagination.ts';
import { type ImportedPartitions, importPartitions, partsExpression } from './import-partitions.ts';
import { importRecords } from './import-records.ts';
import { type InjectedAt, RequestParts } from './import-request.ts';
import type { ImportedAccess } from './imported-access.ts';
import { stepOf } from './jinja/code.ts';
import { translateTemplate } from './jinja/translate-template.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';
import { keyOf, SOURCE_ID } from './record-key.ts';
import { requireTranslatable } from './refused-members.ts';
import { scopeAt, type TemplateScope, variablesOf } from './variables.ts';

/** What the streams of a manifest have in common. */
export interface StreamContext extends Pick<TemplateScope, 'config'> {
  /** Id of its entity, and that of its parent. */
  id: string;
  parent?: string | undefined;
  /** Address of the API without a path. */
  origin: string;
  /** Parameters and headers that the authentication sends. */
  movedSecrets?: ImportedAccess['movedSecrets'];
}

/** An entity of a document, and what its failures mean. */
export interface ImportedStream {
  entity: Record<string, unknown>;
  failures: ImportedFailure[];
}

/** Returns path and query of an address without its host. */
function splitAddress(template: string): { path: string; search: string } {
  const parts = splitTemplate(template);
  const index = parts.findIndex((part, place) => place % 2 === 0 && part.includes('?'));
  if (index < 0) return { path: template, search: '' };
  const at = parts.slice(0, index).join('').length + (parts[index] ?? '').indexOf('?');
  return { path: template.slice(0, at), search: template.slice(at + 1) };
}

/** @throws UntranslatableError for a text that is not encoded well */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new UntranslatableError('a query that is not encoded well');
  }
}

/** Whether an expression of Jinja has a text with a slash. */
function hasSlashInText(expression: string): boolean {
  let quote = '';
  for (const character of expression) {
    if (quote === '') quote = character === '"' || character === "'" ? character : '';
    else if (character === quote) quote = '';
    else if (character === '/') return true;
  }
  return false;
}

/** Whether an expression can be a hole of a path: braces in it must belong together. */
function isHole(source: string): boolean {
  try {
    return isDeepStrictEqual(pathExpressions(`/{${source}}/`), [source]);
  } catch {
    return false;
  }
}

/** Returns a template with the encoded texts of its constant expressions in their places; one with statements stays as it is. */
function withConstants(template: string, scope: TemplateScope): string {
  if (/\{%/.test(template)) return template;
  const parts = splitTemplate(template).map((part, index) => {
    const { constant } = index % 2 === 0 ? {} : translateTemplate(part, variablesOf(scope));
    return constant === undefined ? part : encodeURI(constant);
  });
  return parts.join('');
}

/** Returns a path with holes of JSONata. */
function pathOf(template: string, scope: TemplateScope): { path: string; query: Record<string, string> } {
  if (/\{%/.test(template)) throw new UntranslatableError('a path with statements');
  const { path, search } = splitAddress(template);
  const parts = splitTemplate(path).map((part, index) => {
    if (index % 2 === 0) return part.replace(/[{}]/g, '').replace(/\/{2,}/g, '/');
    const { text, value } = translateTemplate(part, variablesOf(scope));
    // A hole is one part of a path, which would encode the slash.
    if (hasSlashInText(part)) throw new UntranslatableError('a part of the path with a slash');
    // A hole prints texts and numbers as templates do.
    const hole = [text, value].find((one) => !/[{}]/.test(one)) ?? text;
    if (!isHole(hole)) throw new UntranslatableError('a part of the path that is computed');
    return `{${hole}}`;
  });
  const query = Object.fromEntries(
    search === ''
      ? []
      : search.split('&').map((pair) => {
          const at = pair.includes('=') ? pair.indexOf('=') : pair.length;
          const value = splitTemplate(pair.slice(at + 1)).map((part, index) =>
            index % 2 === 0 ? decoded(part) : part,
          );
          return [decoded(pair.slice(0, at)), translateTemplate(value.join(''), variablesOf(scope)).text];
        }),
  );
  const whole = parts.join('');
  return { path: whole.startsWith('/') ? whole : `/${whole}`, query };
}

/** Returns the path and the parts of a requester's requests. @throws UntranslatableError */
function requestOf(
  requester: Component,
  outer: TemplateScope,
  { origin, movedSecrets }: Pick<StreamContext, 'origin' | 'movedSecrets'>,
): { path: string; method: string; parts: RequestParts } {
  if (requester.type !== 'HttpRequester')
    throw new UntranslatableError(`the requester ${String(requester.type)}`);
  requireTranslatable(requester);
  const scope = scopeAt(requester, outer);
  const address = addressOf({
    url_base: withConstants(urlBaseOf(requester), scope),
    path: withConstants(textOf(requester, 'path'), scope),
  });
  if (originOf(address) !== origin) throw new UntranslatableError('requests to another host');
  const { path, query } = pathOf(address.slice(origin.length), scope);
  const method = requesterMethodOf(requester);
  const parts = RequestParts.of(requester, scope, movedSecrets);
  for (const [name, source] of Object.entries(query)) parts.query[name] ??= source;
  return { path, method, parts };
}

function schemaOf(stream: Component): Component | undefined {
  const loader = componentsOf(stream, 'schema_loader').find(({ type }) => type === 'InlineSchemaLoader');
  return componentOf(loader, 'schema');
}

function incrementalOf(
  found: ImportedIncremental | undefined,
  columns: Record<string, { value: string }>,
): object {
  if (!found) return {};
  const [column] =
    Object.entries(columns).find(([, { value }]) => value === `record.${stepOf(found.field)}`) ?? [];
  const known = column === undefined ? undefined : columns[column];
  if (known === undefined) return {};
  known.value = found.value;
  return {
    incremental: { column, lookBack: found.lookBack },
    ...(found.isMoving && { keepUnlisted: true }),
  };
}

/** Returns how answers are decoded. @throws UntranslatableError */
function decodeOf(decoder: Component | undefined): 'json' | 'ndjson' | 'xml' {
  switch (decoder?.type) {
    case undefined:
    case 'JsonDecoder':
      return 'json';
    case 'JsonlDecoder':
      return 'ndjson';
    case 'XmlDecoder':
      return 'xml';
    default:
      throw new UntranslatableError(`the decoder ${String(decoder?.type)}`);
  }
}

/** Expressions of an answer as the CDK has it, by how it is decoded. */
const ANSWERS = { json: 'response', ndjson: 'response', xml: '$xmlValue(response)' } as const;

/** Returns the path of the base address, which links without one begin with; undefined for a computed one. */
function basePathOf(requester: Component, origin: string): string | undefined {
  const base = urlBaseOf(requester).slice(origin.length);
  return /\{[{%]/.test(base) ? undefined : withoutEndSlashes(base);
}

/**
 * Returns the expression of an entity's parts; undefined for an entity that is requested once. Windows of time are left out where no
 * expression reads them: each would send the same request.
 * @param expressions those of the entity, as one text
 */
function partsFor(
  partitions: ImportedPartitions,
  incremental: ImportedIncremental | undefined,
  expressions: string,
): string | undefined {
  const names = [...(incremental?.slice.keys() ?? [])].filter((name) => !name.includes('.'));
  const isNamed = names.some((name) => expressions.includes(`part.\`${name}\``));
  return partsExpression(partitions, isNamed ? incremental?.windows : undefined, names);
}

/**
 * Returns the names of the parameters that only the first page has: those of the parts of a stream.
 * @param known names of the other parameters
 * @throws UntranslatableError for others than those of the query, and where the CDK takes the first page for a later one
 */
function firstOnlyOf(
  places: readonly InjectedAt[],
  known: readonly string[],
  pagination: Record<string, unknown>,
): string[] {
  if (places.length === 0 || pagination.kind === 'none') return [];
  const isNumbered = pagination.kind === 'page' || pagination.kind === 'offset';
  if (
    places.some((place) => place.in !== 'query' || known.includes(place.name)) ||
    (isNumbered && pagination.sendFirst !== false)
  )
    throw new UntranslatableError('parts that only the first page names');
  return [...new Set(places.map(({ name }) => name))];
}

/** Returns the expression of the date of records. */
function dateOf(field: string | undefined, incremental: ImportedIncremental | undefined): string {
  if (field === undefined) return 'now';
  return field === incremental?.field ? incremental.value : `record.${stepOf(field)}`;
}

/** Returns the expression of records that fails for an answer that is a failure, so that its list does not look empty. */
function withFailure(failing: string, records: string): string {
  return `($failure := (${failing}); $failure ? $error($failure) : (${records}))`;
}

/** Translates a stream to an entity. @throws UntranslatableError that says what of it has no translation */
export function importStream(
  stream: Component,
  { config, origin, movedSecrets, id, parent }: StreamContext,
): ImportedStream {
  const retriever = componentOf(stream, 'retriever');
  if (retriever?.type !== 'SimpleRetriever')
    throw new UntranslatableError(`the retriever ${String(retriever?.type)}`);
  requireTranslatable(stream);
  requireTranslatable(retriever);
  const requester = componentOf(retriever, 'requester');
  if (!requester) throw new UntranslatableError('a stream without requests');
  const parameters = componentOf(stream, '$parameters') ?? {};
  const stated = scopeAt(retriever, { config, parameters, slice: new Map() });
  const partitions = importPartitions(retriever, stated);
  const outer: TemplateScope = { ...stated, slice: partitions.slice };
  const incremental = importIncremental(stream, outer);
  const scope: TemplateScope = { ...outer, slice: new Map([...outer.slice, ...(incremental?.slice ?? [])]) };
  const { path, method, parts: request } = requestOf(requester, scope, { origin, movedSecrets });
  const { rules, failing } = importFailures(requester, scope);
  const decode = decodeOf(componentOf(retriever, 'decoder'));
  if (failing !== undefined && decode !== 'json')
    throw new UntranslatableError('a condition of answers that are no JSON');
  const { records, count } = importRecords(stream, scope, ANSWERS[decode]);
  const pagination = importPagination(componentOf(retriever, 'paginator'), {
    scope,
    records,
    count,
    request,
    basePath: basePathOf(requester, origin),
  });
  if (decode === 'xml' && 'next' in pagination) throw new UntranslatableError('a cursor in XML');
  const before = request.places();
  const known = Object.keys(request.query);
  partitions.inject(request);
  incremental?.inject(request);
  const firstOnly =
    retriever.ignore_stream_slicer_parameters_on_paginated_requests === true
      ? firstOnlyOf(request.places().slice(before.length), known, pagination)
      : [];
  const sent = request.document();
  const parts = partsFor(partitions, incremental, JSON.stringify([path, sent, records, pagination]));
  const { columns, titleColumn, date } = importColumns(schemaOf(stream), incremental?.field);
  const key = keyOf(stream);
  if (key !== 'record.id')
    for (const column of Object.values(columns))
      if (column.value === 'record.id') column.value = `record.${SOURCE_ID}`;
  const name = textOf(stream, 'name');
  const title = name.replace(/[_-]+/g, ' ').trim().slice(0, 80) || id;
  return {
    entity: {
      id,
      title: `${title[0]?.toUpperCase()}${title.slice(1)}`,
      description: `The ${title} of the service.`,
      ...(parent !== undefined && { parent }),
      ...(parts !== undefined && { parts }),
      request: {
        path,
        ...((method === 'POST' ? !('body' in sent) : request.hasBody) && { method }),
        ...sent,
        ...(decode !== 'json' && { decode }),
      },
      records: failing === undefined ? records : withFailure(failing, records),
      pagination: firstOnly.length === 0 ? pagination : { ...pagination, firstOnly },
      ...incrementalOf(incremental, columns),
      ...(key !== 'record.id' && { add: { [SOURCE_ID]: 'record.id' } }),
      key,
      date: dateOf(date, incremental),
      columns,
      titleColumn,
      templates: [
        {
          kind: 'records',
          key: id,
          title: `All ${title}`.slice(0, 80),
          description: `All ${title}, the newest first.`,
        },
      ],
    },
    failures: rules,
  };
}
