import { z } from 'zod';

/** Bounds of a connector document. `expression` and `text` in UTF-16 units. */
export const DOCUMENT_LIMITS = {
  entities: 20,
  columns: 100,
  fields: 12,
  templates: 30,
  rules: 30,
  expression: 4000,
  text: 2000,
  parameters: 50,
} as const;

const { expression, text, parameters, rules } = DOCUMENT_LIMITS;
const keySchema = z
  .string()
  .max(31)
  .regex(/^[a-z][a-z0-9-]{1,30}$/);
const columnNameSchema = z
  .string()
  .max(41)
  .regex(/^[a-z][a-z0-9_]{0,40}$/);
const fieldNameSchema = z
  .string()
  .max(31)
  .regex(/^[a-z][a-zA-Z0-9]{0,30}$/);
/** Path of a field of a record: `author.name`. */
const documentFieldSchema = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,60}(?:\.[A-Za-z0-9_-]{1,60}){0,5}$/);
const titleSchema = z.string().trim().min(1).max(80);
/** Name of a query parameter, or a header in small letters. */
const parameterNameSchema = z.string().min(1).max(100);
/** Headers that belong to the connection or to the product. */
const RESERVED_HEADERS =
  /^(?:host|cookie|content-length|connection|transfer-encoding|upgrade|te|trailer|expect|proxy-.*)$/i;
const headerNameSchema = z
  .string()
  .max(100)
  .regex(/^[a-z0-9-]+$/)
  .refine(
    (name) => name !== 'authorization' && !RESERVED_HEADERS.test(name),
    'The product sets this header itself',
  );

/**
 * An expression of JSONata. Its variables are fields of its input: `config` (values of the connect form, without secrets),
 * `settings`, `cursor` (ISO instant or number from which a run reads; absent in one that reads all), `now` (ISO instant),
 * `parent` (record of the parent), and where an answer was read `response`, `headers` and `record`.
 */
const expressionSchema = z.string().trim().min(1).max(expression);
const parametersSchema = z
  .record(parameterNameSchema, expressionSchema)
  .refine((given) => Object.keys(given).length <= parameters)
  .default({});
/** Text with holes that hold expressions, each encoded as one part of a path: `/projects/{settings.project}/issues`. */
const pathSchema = z.string().max(text).startsWith('/');

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

/** Address of a provider without a hole. Without TLS only hosts are called that the operator names. */
const tokenAddressSchema = z
  .string()
  .max(300)
  .regex(/^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:\/[A-Za-z0-9._~/-]*)?$/);

const scopesSchema = z
  .array(
    z
      .string()
      .max(200)
      .regex(/^[\x21-\x7e]+$/),
  )
  .max(30)
  .default([]);

/** How an account is connected: the fields are those of `connect`, one of which is secret unless nothing is. */
const authenticationSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  /** `authorization: Bearer <secret>`. */
  z.strictObject({ kind: z.literal('bearer') }),
  /** A header (`in: header`) or a query parameter that has the secret behind a prefix, e.g. `Token `. */
  z.strictObject({
    kind: z.literal('api-key'),
    in: z.enum(['header', 'query']),
    name: z
      .string()
      .min(1)
      .max(100)
      .regex(/^[A-Za-z0-9_-]+$/)
      .refine((name) => !RESERVED_HEADERS.test(name), 'The product sets this header itself'),
    prefix: z
      .string()
      .max(20)
      .regex(/^[\x20-\x7e]*$/)
      .default(''),
  }),
  /** Basic, with the value of a field as the user. */
  z.strictObject({ kind: z.literal('basic'), user: fieldNameSchema }),
  /**
   * OAuth 2.0 client credentials: the person enters the id of a client in a field, and its secret. The token that they yield is sent
   * as `authorization: Bearer`.
   */
  z.strictObject({
    kind: z.literal('client-credentials'),
    /** Field with the id of the client. */
    user: fieldNameSchema,
    tokenUrl: tokenAddressSchema,
    scopes: scopesSchema,
    /** How id and secret are sent. */
    send: z.enum(['header', 'body']).default('header'),
  }),
  /**
   * OAuth 2.0 with the page of the provider: authorization code, PKCE, and renewal. The administrator enters the client; the address of
   * the callback is `/auth/<key>/callback`. The form has no fields.
   */
  z.strictObject({
    kind: z.literal('oauth-code'),
    authorizationUrl: tokenAddressSchema,
    tokenUrl: tokenAddressSchema,
    scopes: scopesSchema,
    /** How id and secret of the client are sent. */
    send: z.enum(['header', 'body']).default('body'),
    /** Further parameters of the page: `{"access_type": "offline", "prompt": "consent"}`. */
    parameters: z
      .record(parameterNameSchema, z.string().max(200))
      .refine((given) => Object.keys(given).length <= 10, 'At most ten parameters')
      .default({}),
    /** What the provider names itself in the callback (`iss`), if it does. Default: the origin of `authorizationUrl`. */
    issuer: tokenAddressSchema.optional(),
  }),
  /** A sign-in with user and password that answers with a token, which is renewed when the provider no longer accepts it. */
  z.strictObject({
    kind: z.literal('session-token'),
    user: fieldNameSchema,
    /** Path of the sign-in, which is sent by POST. */
    path: pathSchema.refine((path) => !/[{}]/.test(path), 'This path has no expressions'),
    /** `header`: as Basic. `body`: as members of a JSON object. */
    send: z.enum(['header', 'body']).default('body'),
    userParameter: z.string().min(1).max(100).default('username'),
    secretParameter: z.string().min(1).max(100).default('password'),
    /** Field of the answer (JSON) that has the token: `data.token`. */
    token: documentFieldSchema,
    /** Header by which the token is sent, and what precedes it. */
    name: z
      .string()
      .min(1)
      .max(100)
      .regex(/^[A-Za-z0-9_-]+$/)
      .refine((name) => !RESERVED_HEADERS.test(name), 'The product sets this header itself')
      .default('authorization'),
    prefix: z
      .string()
      .max(20)
      .regex(/^[\x20-\x7e]*$/)
      .default('Bearer '),
  }),
]);

const requestSchema = z.strictObject({
  path: pathSchema,
  query: parametersSchema,
  headers: z.record(headerNameSchema, expressionSchema).default({}),
  /** An object that is sent as JSON by POST; GraphQL: `{"query": "…", "variables": {…}}`. Without it a GET is sent. */
  body: expressionSchema.optional(),
  /** How answers are decoded; `feed` reads RSS and Atom, `xml` elements as fields. */
  decode: z.enum(['json', 'ndjson', 'csv', 'xml', 'feed']).default('json'),
});
export type DocumentRequest = z.infer<typeof requestSchema>;

/** How the next page is requested. `page` and `offset` end at a page with fewer records than `size`, the others without a next page. */
const paginationSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  /** Pages by number; `size` records each, a shorter one is the last. */
  z.strictObject({
    kind: z.literal('page'),
    parameter: parameterNameSchema,
    first: z.number().int().min(0).max(1).default(1),
    size: z.number().int().min(1).max(5000),
    sizeParameter: parameterNameSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('offset'),
    parameter: parameterNameSchema,
    size: z.number().int().min(1).max(5000),
    sizeParameter: parameterNameSchema.optional(),
  }),
  /** `next` yields the cursor from `response` or `headers`; an empty one or none ends. In a body, `parameter` is a path with dots. */
  z.strictObject({
    kind: z.literal('cursor'),
    in: z.enum(['query', 'body']),
    parameter: parameterNameSchema,
    next: expressionSchema,
  }),
  /** The header `Link` with `rel="next"`. */
  z.strictObject({ kind: z.literal('link') }),
  /** `next` yields an address of the same host. */
  z.strictObject({ kind: z.literal('address'), next: expressionSchema }),
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

/** What an unsuccessful answer means; the first rule that matches counts. Without one, the status decides. */
const failureRuleSchema = z.strictObject({
  status: z.number().int().min(200).max(599).optional(),
  /** Text that the body contains. */
  contains: z.string().min(1).max(200).optional(),
  means: z.enum([
    'expired-token',
    'forbidden',
    'not-found',
    'invalid',
    'cursor-expired',
    'rate-limited',
    'unavailable',
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
   * Address of the API. Its host may have one hole before a fixed suffix, for one label of DNS: `https://{config.site}.example.com/api`.
   * `{config.address}` alone is an address that the person enters; only without secrets. Without TLS (`http`) only hosts are called that
   * the operator names.
   */
  baseUrl: z
    .string()
    .max(300)
    .regex(
      /^(?:https?:\/\/(?:\{config\.[a-zA-Z0-9]+\}\.[a-z0-9.-]+\.[a-z]+|[a-z0-9.-]+)(?::\d+)?(?:\/[A-Za-z0-9._~/-]*)?|\{config\.address\})$/,
    ),
  authentication: authenticationSchema,
  connect: z.strictObject({
    intro: z.array(z.string().max(600)).max(5).default([]),
    links: z
      .array(z.strictObject({ label: titleSchema, url: z.url({ protocol: /^https$/ }).max(300) }))
      .max(5)
      .default([]),
    fields: z.array(formFieldSchema).max(DOCUMENT_LIMITS.fields).default([]),
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
  failures: z.array(failureRuleSchema).max(rules).default([]),
  /** Yields something where an answer of status 200 is a failure, as in GraphQL: `response.errors`. */
  failed: expressionSchema.optional(),
  entities: z.array(entitySchema).min(1).max(DOCUMENT_LIMITS.entities),
});
export type ConnectorDocument = z.infer<typeof connectorDocumentSchema>;
