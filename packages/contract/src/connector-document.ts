import { z } from 'zod';
import { authenticationSchema } from './connector-authentication.ts';
import {
  columnNameSchema,
  DOCUMENT_LIMITS,
  documentFieldSchema,
  expressionSchema,
  fieldNameSchema,
  headerNameSchema,
  keySchema,
  parameterNameSchema,
  parametersSchema,
  pathSchema,
  titleSchema,
} from './connector-parts.ts';

export { DOCUMENT_LIMITS, headerNameSchema };

/** A field of the connect form, or a setting of an entity: `{ name: 'project', label: 'Project', placeholder: 'group/name' }`. */
const formFieldSchema = z.strictObject({
  name: fieldNameSchema,
  label: titleSchema,
  tip: z.string().max(300).default(''),
  required: z.boolean().default(true),
  /** Source of a regular expression that the whole value must match. */
  pattern: z.string().max(200).default(''),
  placeholder: z.string().max(100).default(''),
  errorText: z.string().max(200).default(''),
  defaultValue: z.string().max(200).default(''),
});
export type DocumentField = z.infer<typeof formFieldSchema>;

/** A field of the connect form. */
const connectFieldSchema = formFieldSchema.extend({
  /** A further secret: only `authentication` names it, no expression reads it, and it is never shown again. Default: false. */
  hidden: z.boolean().optional(),
});
export type DocumentConnectField = z.infer<typeof connectFieldSchema>;

const requestSchema = z.strictObject({
  path: pathSchema,
  query: parametersSchema,
  headers: z.record(headerNameSchema, expressionSchema).default({}),
  /** Default: POST with a body, otherwise GET. */
  method: z.enum(['GET', 'POST']).optional(),
  /** An object, sent by POST unless `method` is GET; GraphQL: `{"query": "…", "variables": {…}}`. */
  body: expressionSchema.optional(),
  /** How the body is sent: as JSON (the default), or as `application/x-www-form-urlencoded`, whose values are no objects and lists. */
  bodyFormat: z.enum(['json', 'form']).optional(),
  /** How answers are decoded; `feed` reads RSS and Atom, `xml` elements as fields. */
  decode: z.enum(['json', 'ndjson', 'csv', 'xml', 'feed']).default('json'),
});
export type DocumentRequest = z.infer<typeof requestSchema>;

/**
 * Which page ends a list that is asked for by numbers: the first one without records, or the first one with fewer than `size`.
 * The latter saves a request; where the service sends smaller pages than it was asked for, it loses what follows.
 */
const endSchema = z.enum(['empty-page', 'short-page']).default('empty-page');

/** Where a parameter is sent. In a body of JSON its name is a path with dots: `page.number`. */
const placeSchema = z.enum(['query', 'body', 'header']);
/** Names of parameters of the query that the requests of later pages do not have. Default: none. */
const firstOnlyShape = {
  firstOnly: z.array(parameterNameSchema).min(1).max(DOCUMENT_LIMITS.parameters).optional(),
};
/**
 * How pages, or their first records, are numbered. The fields without a default here have one where they are read: equal documents
 * stay equal, and cursors of earlier versions valid.
 */
const numbersShape = {
  parameter: parameterNameSchema,
  /** Where the number and the size are sent. Default: `query`. */
  in: placeSchema.optional(),
  /** Whether the request of the first page has its number. Default: true. */
  sendFirst: z.boolean().optional(),
  /** Yields the number of records of an answer, where `records` leaves some of them out. Default: those that `records` yields. */
  count: expressionSchema.optional(),
  ...firstOnlyShape,
};

const repeatShape = {
  ...firstOnlyShape,
  /**
   * Whether the parameters of the first request are added to the address of the next page, without those that it has with the same
   * value. Default: false. Headers and body are sent again in any case.
   */
  repeatQuery: z.boolean().optional(),
};

/** How the next page is requested. `page` and `offset` end by `end`, the others without a next page. */
const paginationSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  /** Pages by number; the service is asked for `size` records each. */
  z.strictObject({
    kind: z.literal('page'),
    ...numbersShape,
    first: z.number().int().min(0).max(1_000_000).default(1),
    size: z.number().int().min(1).max(DOCUMENT_LIMITS.pageSize),
    sizeParameter: parameterNameSchema.optional(),
    end: endSchema,
  }),
  z.strictObject({
    kind: z.literal('offset'),
    ...numbersShape,
    size: z.number().int().min(1).max(DOCUMENT_LIMITS.pageSize),
    sizeParameter: parameterNameSchema.optional(),
    end: endSchema,
  }),
  /** `next` yields the cursor from `response` or `headers`; an empty one or none ends. In a body, `parameter` is a path with dots. */
  z.strictObject({
    kind: z.literal('cursor'),
    in: placeSchema,
    parameter: parameterNameSchema,
    next: expressionSchema,
    ...firstOnlyShape,
  }),
  /** The header `Link` with `rel="next"`. */
  z.strictObject({ kind: z.literal('link'), ...repeatShape }),
  /** `next` yields an address of the same host. */
  z.strictObject({ kind: z.literal('address'), next: expressionSchema, ...repeatShape }),
]);
export type DocumentPagination = z.infer<typeof paginationSchema>;

const COLUMN_KINDS = ['text', 'integer', 'bigint', 'number', 'boolean', 'time', 'texts'] as const;
const columnSchema = z.strictObject({ type: z.enum(COLUMN_KINDS), value: expressionSchema });
export type DocumentColumn = z.infer<typeof columnSchema>;

/** A condition on a column: `{ column: 'state', is: 'equal', value: 'opened' }`; days are counted back from now. */
const conditionSchema = z.strictObject({
  column: columnNameSchema,
  is: z.enum(['equal', 'not-equal', 'set', 'unset', 'at-least', 'at-most', 'older-than-days', 'within-days']),
  value: z.union([z.string().max(200), z.number(), z.boolean()]).optional(),
});
export type DocumentCondition = z.infer<typeof conditionSchema>;
const orderSchema = z.strictObject({ by: z.string().max(60), descending: z.boolean().default(false) });
const templateBase = { key: keySchema, title: titleSchema, description: z.string().min(1).max(400) };

const templateSchema = z.discriminatedUnion('kind', [
  /** Whole records, the newest first. */
  z.strictObject({
    ...templateBase,
    kind: z.literal('records'),
    columns: z.array(z.string().max(100)).max(20).default([]),
  }),
  /** Columns of the records that meet all conditions. */
  z.strictObject({
    ...templateBase,
    kind: z.literal('rows'),
    columns: z.array(columnNameSchema).min(1).max(20),
    where: z.array(conditionSchema).max(10).default([]),
    /** Names of columns. */
    orderBy: z.array(orderSchema).min(1).max(5),
  }),
  /** One row for each value of `by`; a column of texts counts once for each text, and a time by its `per`. */
  z.strictObject({
    ...templateBase,
    kind: z.literal('groups'),
    by: columnNameSchema,
    per: z.enum(['day', 'week', 'month', 'year']).optional(),
    where: z.array(conditionSchema).max(10).default([]),
    measures: z
      .array(
        z.strictObject({
          name: fieldNameSchema,
          of: z.enum(['count', 'sum', 'average', 'median', 'least', 'most']),
          column: columnNameSchema.optional(),
        }),
      )
      .min(1)
      .max(8),
    /** Names of measures, or `by`. */
    orderBy: z.array(orderSchema).min(1).max(5),
  }),
]);
export type DocumentTemplate = z.infer<typeof templateSchema>;

const entitySchema = z.strictObject({
  /** Begins with the connector's key: `todoist-tasks`. */
  id: keySchema,
  title: titleSchema,
  description: z.string().min(1).max(1000),
  settings: z.array(formFieldSchema).max(DOCUMENT_LIMITS.fields).default([]),
  /** Entity of this document for each record of which the records are requested; that one may have a parent, but not a third. */
  parent: keySchema.optional(),
  /**
   * Yields a list, for each value of which the records are requested: expressions read it as `part`. Days, regions, … With a parent,
   * for each record of it. Evaluated once a run, or once a parent.
   */
  parts: expressionSchema.optional(),
  request: requestSchema,
  /** Yields the records of an answer. */
  records: expressionSchema,
  /** Yields the number of all records, where the provider counts them. */
  total: expressionSchema.optional(),
  /** Column of type time by which the provider lists the newest first; without it all pages are read and sorted. */
  sortedBy: columnNameSchema.optional(),
  pagination: paginationSchema.default({ kind: 'none' }),
  /**
   * How later runs read what changed. `column` (time or a number) grows with each change. `parameter` asks for records from the
   * cursor; without it the product compares. `lookBack` is subtracted, in seconds (time) or units.
   */
  incremental: z
    .strictObject({
      column: columnNameSchema,
      parameter: z
        .strictObject({ in: z.enum(['query', 'body']), name: parameterNameSchema, value: expressionSchema })
        .optional(),
      lookBack: z.number().min(0).max(31_536_000).default(120),
    })
    .optional(),
  /** Whether records stay that the service no longer lists, e.g. because it lists those of the last month. Default: false. */
  keepUnlisted: z.boolean().optional(),
  /** Fields that are added to each record before it is stored. They and `key` may use all variables; what follows only `record`. */
  add: z.record(fieldNameSchema, expressionSchema).default({}),
  key: expressionSchema.default('record.id'),
  date: expressionSchema,
  columns: z
    .record(columnNameSchema, columnSchema)
    .refine((columns) => Object.keys(columns).length <= DOCUMENT_LIMITS.columns),
  /** Column of type text that identifies a record to people. */
  titleColumn: columnNameSchema,
  /** How a person finds and reads a record: fields of the record (`author.name`), and columns of type text and texts. */
  reading: z
    .strictObject({
      body: documentFieldSchema.optional(),
      format: z.enum(['plain', 'markdown', 'html']).default('plain'),
      address: documentFieldSchema.optional(),
      person: columnNameSchema.optional(),
      labels: columnNameSchema.optional(),
      facts: z
        .array(z.strictObject({ title: titleSchema, field: documentFieldSchema }))
        .max(10)
        .default([]),
    })
    .default({ format: 'plain', facts: [] }),
  templates: z.array(templateSchema).min(1).max(DOCUMENT_LIMITS.templates),
  /** Raised whenever the same record yields other columns. */
  extraction: z.number().int().min(1).max(1_000_000).default(1),
});
export type DocumentEntity = z.infer<typeof entitySchema>;

/**
 * What an unsuccessful answer means; the first rule that matches counts. Without one, the status decides. `no-records`: the answer is
 * a page without records, and its list ends there; it says nothing about the request of `identity`.
 */
const failureRuleSchema = z.strictObject({
  status: z.number().int().min(200).max(599).optional(),
  /** Text that the body contains. */
  contains: z.string().min(1).max(200).optional(),
  /** Entities to whose requests the rule applies. Default: to all, and to that of `identity`. */
  entities: z.array(keySchema).min(1).max(DOCUMENT_LIMITS.entities).optional(),
  means: z.enum([
    'expired-token',
    'forbidden',
    'not-found',
    'invalid',
    'cursor-expired',
    'rate-limited',
    'unavailable',
    'no-records',
  ]),
});
export type FailureRule = z.infer<typeof failureRuleSchema>;

/**
 * A connector as a document: what the interpreter needs to connect accounts of a service and to synchronize its records.
 * `docs/build/connector-documents.md` explains it; the JSON Schema is `docs/build/connector-document.schema.json`.
 */
export const connectorDocumentSchema = z.strictObject({
  /** Address of the JSON Schema, for editors. */
  $schema: z.string().max(300).optional(),
  /** Version of this format. */
  version: z.literal(1),
  /** Part of addresses: `/auth/todoist`. */
  key: keySchema,
  title: titleSchema,
  description: z.string().min(1).max(300),
  /** Logo as the path data of a 24 × 24 SVG. */
  mark: z
    .string()
    .max(4000)
    .regex(/^[MmLlHhVvCcSsQqTtAaZz0-9eE,.\s+-]*$/)
    .optional(),
  /**
   * Address of the API. Its host may have one hole before a fixed suffix, for one label of DNS or a part of it:
   * `https://{config.site}.example.com/api`, `https://api-{config.region}.example.com`. `{config.address}` alone is an address that the person enters; only without secrets. Without TLS (`http`) only hosts are called that
   * the operator names.
   */
  baseUrl: z
    .string()
    .max(300)
    .regex(
      /^(?:https?:\/\/(?:(?:[a-z0-9][a-z0-9-]*)?\{config\.[a-zA-Z0-9]+\}(?:[a-z0-9-]*[a-z0-9])?\.[a-z0-9.-]+\.[a-z]+|[a-z0-9.-]+)(?::\d+)?(?:\/[A-Za-z0-9._~/-]*)?|\{config\.address\})$/,
    ),
  authentication: authenticationSchema,
  connect: z.strictObject({
    intro: z.array(z.string().max(600)).max(5).default([]),
    links: z
      .array(z.strictObject({ label: titleSchema, url: z.url({ protocol: /^https$/ }).max(300) }))
      .max(5)
      .default([]),
    fields: z.array(connectFieldSchema).max(DOCUMENT_LIMITS.fields).default([]),
    /** The field of the secret; required for every authentication but `none`. */
    secret: formFieldSchema.optional(),
  }),
  /** Request by which a connection is tried, and what identifies the account; without it, the values of the form do. */
  identity: z
    .strictObject({ request: requestSchema, subject: expressionSchema, account: expressionSchema })
    .optional(),
  quota: z.strictObject({
    perMinute: z.number().int().min(1).max(100_000),
    concurrency: z.number().int().min(1).max(20).default(2),
    /** Headers that say how many requests are left, and when (seconds, or seconds since 1970) there are more. */
    remainingHeader: headerNameSchema.optional(),
    resetHeader: headerNameSchema.optional(),
  }),
  failures: z.array(failureRuleSchema).max(DOCUMENT_LIMITS.rules).default([]),
  /** Yields something where an answer of status 200 is a failure, as in GraphQL: `response.errors`. */
  failed: expressionSchema.optional(),
  entities: z.array(entitySchema).min(1).max(DOCUMENT_LIMITS.entities),
});
export type ConnectorDocument = z.infer<typeof connectorDocumentSchema>;
