import { type ConnectorDocument, connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { KEY, type ServiceShape, type TokenKind } from './shape.ts';
import { isTokenKind, tokenAuthentication } from './token-issuer.ts';

/** Records of a page: of one list, and of the lists of boards. */
const PAGE_SIZE = 20;
const PAGE_SIZE_OF_BOARD = 10;
const GROUPS_OF_PAGE = 2;

type Body = Record<string, unknown>;
type GivenEntity = Record<string, unknown>;

const AUTHENTICATION: Readonly<Record<Exclude<ServiceShape['authentication'], TokenKind>, object>> = {
  none: { kind: 'none' },
  bearer: { kind: 'bearer' },
  'key-in-header': { kind: 'api-key', in: 'header', name: 'X-API-Key', prefix: KEY.prefix },
  'key-in-query': { kind: 'api-key', in: 'query', name: KEY.parameter },
  basic: { kind: 'basic', user: 'user' },
};

/** Expressions of one format: where rows, totals and next pages are, what is no list, and the fields of a row. */
const FORMATS: Readonly<Record<ServiceShape['format'], Record<string, string>>> = {
  json: {
    rows: 'response.items',
    failed: "$not($type(response.items) = 'array')",
    total: 'response.total',
    next: 'response.next',
    id: 'id',
    author: 'record.author.name',
    labels: 'record.labels',
    revision: 'record.revision',
  },
  ndjson: {
    rows: 'response',
    failed: '$exists(response.message)',
    total: '$number(headers.`x-total`)',
    next: 'headers.`x-next`',
    id: 'id',
    author: 'record.author.name',
    labels: 'record.labels',
    revision: 'record.revision',
  },
  csv: {
    rows: 'response',
    failed: "$not($contains(headers.`content-type`, 'csv'))",
    total: '$number(headers.`x-total`)',
    next: 'headers.`x-next`',
    id: 'id',
    author: 'record.author',
    labels: "$split(record.labels, ' ')[$ != '']",
    revision: '$number(record.revision)',
  },
  xml: {
    rows: 'response.list.item',
    failed: '$not($exists(response.list))',
    total: '$number(response.list.`@total`)',
    next: 'response.list.`@next`',
    id: '`@id`',
    author: 'record.author',
    labels: 'record.labels.label',
    revision: '$number(record.`@revision`)',
  },
};

function paginationOf({ pagination, format }: ServiceShape, size: number): object {
  const next = FORMATS[format].next;
  switch (pagination) {
    case 'none':
    case 'link':
      return { kind: pagination };
    case 'page-from-0':
    case 'page-from-1':
      return {
        kind: 'page',
        parameter: 'page',
        first: pagination === 'page-from-0' ? 0 : 1,
        size,
        sizeParameter: 'limit',
      };
    case 'offset':
      return { kind: 'offset', parameter: 'offset', size, sizeParameter: 'limit' };
    case 'cursor-in-query':
      return { kind: 'cursor', in: 'query', parameter: 'after', next };
    case 'cursor-in-body':
      return { kind: 'cursor', in: 'body', parameter: 'page.after', next };
    case 'address':
      return { kind: 'address', next };
  }
}

/** Returns the request of a list; the kinds of pagination without a parameter for the size have it as a constant. */
function listOf(shape: ServiceShape, path: string, size: number): GivenEntity {
  const { pagination, format, isCounted } = shape;
  const { rows, total } = FORMATS[format];
  const isPosted = pagination === 'cursor-in-body';
  const hasLimit = ['cursor-in-query', 'link', 'address'].includes(pagination);
  return {
    request: {
      path,
      decode: format,
      ...(hasLimit && { query: { limit: `"${size}"` } }),
      ...(isPosted && { body: `{"filter": {"by": config.site}, "page": {"limit": ${size}}}` }),
    },
    records: rows,
    ...(isCounted && { total }),
    pagination: paginationOf(shape, size),
  };
}

/** Returns how changes are asked for; half of the services want the time in seconds. */
function incrementalOf({ incremental, pagination }: ServiceShape, index: number): object {
  if (incremental === 'none') return {};
  const column = incremental === 'since-number' ? 'revision' : 'updated';
  const lookBack = incremental === 'since-number' ? index % 3 : [0, 5, 120][index % 3];
  const value = {
    'since-time': index % 2 ? 'cursor' : '$floor($toMillis(cursor) / 1000)',
    'since-number': 'cursor',
    compared: undefined,
  }[incremental];
  const name = incremental === 'since-number' ? 'from' : 'since';
  const parameter =
    pagination === 'cursor-in-body'
      ? { in: 'body', name: `filter.${name}`, value }
      : { in: 'query', name, value };
  return { incremental: { column, lookBack, ...(value !== undefined && { parameter }) } };
}

const SETTINGS = [{ name: 'project', label: 'Project', pattern: '[a-z]{1,100}', placeholder: 'work' }];

function groupEntity(shape: ServiceShape, id: string, path: string): GivenEntity {
  return {
    id,
    title: id,
    description: 'Every list of the project.',
    settings: SETTINGS,
    ...listOf(shape, path, GROUPS_OF_PAGE),
    key: `record.${FORMATS[shape.format].id}`,
    date: 'record.created',
    columns: { name: { type: 'text', value: 'record.name' } },
    titleColumn: 'name',
    templates: [{ kind: 'records', key: `${id}-all`, title: 'All', description: 'All, the newest first.' }],
  };
}

function itemEntity(shape: ServiceShape, id: string, index: number): GivenEntity {
  const { format, parents, order } = shape;
  const fields = FORMATS[format];
  const isParted = parents !== 'none';
  const size = isParted ? PAGE_SIZE_OF_BOARD : PAGE_SIZE;
  const path = isParted ? `/boards/{parent.${fields.id}}/items` : '/projects/{settings.project}/items';
  return {
    id,
    title: 'Items',
    description: 'Every item of a project.',
    settings: SETTINGS,
    ...listOf(shape, path, size),
    ...(isParted && { add: { board: `parent.${fields.id}` } }),
    ...(order !== 'unsorted' && { sortedBy: order }),
    ...incrementalOf(shape, index),
    key: `record.${fields.id}`,
    date: 'record.created',
    columns: {
      title: { type: 'text', value: 'record.title' },
      state: { type: 'text', value: '$uppercase(record.state)' },
      author: { type: 'text', value: fields.author },
      labels: { type: 'texts', value: fields.labels },
      created: { type: 'time', value: 'record.created' },
      updated: { type: 'time', value: 'record.updated' },
      revision: { type: 'integer', value: fields.revision },
      is_open: { type: 'boolean', value: "record.state = 'open'" },
      ...(isParted && { board: { type: 'text', value: 'record.board' } }),
    },
    titleColumn: 'title',
    reading: {
      body: 'title',
      person: 'author',
      labels: 'labels',
      facts: [{ title: 'State', field: 'state' }],
    },
    templates: [
      { kind: 'records', key: `${id}-all`, title: 'All items', description: 'All items, the newest first.' },
      {
        kind: 'rows',
        key: `${id}-open`,
        title: 'Open items',
        description: 'Open items by title.',
        columns: ['title', 'author', 'updated'],
        where: [
          { column: 'is_open', is: 'equal', value: true },
          { column: 'updated', is: 'within-days', value: 30 },
        ],
        orderBy: [{ by: 'title' }],
      },
      {
        kind: 'groups',
        key: `${id}-by-label`,
        title: 'Items by label',
        description: 'How many items have each label.',
        by: 'labels',
        measures: [
          { name: 'items', of: 'count' },
          { name: 'last', of: 'most', column: 'updated' },
        ],
        orderBy: [{ by: 'items', descending: true }],
      },
    ],
  };
}

/** Id of the entity of items in the document of a shape. */
export const itemsIdOf = (index: number) => `gen${index}-items`;

/** Returns what people enter. */
function formOf({ authentication }: ServiceShape): object {
  const hasUser = authentication === 'basic' || isTokenKind(authentication);
  return {
    fields: [
      { name: 'site', label: 'Site' },
      ...(hasUser ? [{ name: 'user', label: 'User' }] : []),
      ...(authentication === 'refresh-token'
        ? [{ name: 'clientSecret', label: 'Client secret', hidden: true }]
        : []),
    ],
    ...(authentication !== 'none' && { secret: { name: 'token', label: 'Token' } }),
  };
}

/**
 * Writes the document of a service.
 * @param index makes keys unique and varies what has no axis
 * @param origin of a service that issues tokens
 */
export function documentOf(shape: ServiceShape, index: number, origin = ''): ConnectorDocument {
  const key = `gen${index}`;
  const { authentication, parents } = shape;
  const items = itemEntity(shape, itemsIdOf(index), index);
  const workspaces = groupEntity(shape, `${key}-workspaces`, '/projects/{settings.project}/workspaces');
  const boardsPath =
    parents === 'two'
      ? `/workspaces/{parent.${FORMATS[shape.format].id}}/boards`
      : '/projects/{settings.project}/boards';
  const boards = groupEntity(shape, `${key}-boards`, boardsPath);
  const entities = {
    none: [items],
    one: [boards, { ...items, parent: boards.id }],
    two: [{ ...items, parent: boards.id }, { ...boards, parent: workspaces.id }, workspaces],
  }[parents];
  const given: Body = {
    version: 1,
    key,
    title: `Service ${index}`,
    description: 'A service of the tests.',
    baseUrl:
      index % 2 && authentication !== 'oauth-code'
        ? 'https://{config.site}.example.com/api'
        : 'https://api.example.com/api',
    authentication: isTokenKind(authentication)
      ? tokenAuthentication(authentication, origin)
      : AUTHENTICATION[authentication],
    connect: authentication === 'oauth-code' ? {} : formOf(shape),
    ...(authentication === 'oauth-code' && {
      identity: { request: { path: '/me' }, subject: 'response.id', account: 'response.name' },
    }),
    quota: { perMinute: 100_000, concurrency: 1 + (index % 3) },
    failed: FORMATS[shape.format].failed,
    entities,
  };
  return connectorDocumentSchema.parse(given);
}
