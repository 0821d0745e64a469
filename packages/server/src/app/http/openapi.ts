import {
  DOWNLOAD_FORMATS,
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  ERROR_STATUS,
  type ErrorCode,
  EXPORT_FORMATS,
  FEED_FORMATS,
  FEED_TYPES,
  FILE_TYPES,
  TOKEN_ACCESS,
} from '@datadeck/contract';
import { ERROR_EXAMPLES, EXAMPLES } from '@datadeck/contract/examples';

/** A part of an OpenAPI description that has examples. */
interface Media {
  schema?: object;
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}

interface Answer {
  description?: string;
  content?: Record<string, Media>;
}

interface Operation {
  operationId?: EndpointName;
  tags?: string[];
  parameters?: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses?: Record<string, Answer>;
}

/** The description that the framework derives from the endpoints' schemas. */
export interface ApiDescription {
  info?: object;
  paths?: Record<string, Record<string, Operation>>;
}

/** Groups of operations in reading order, with the beginnings of their paths. */
const TAGS: readonly (readonly [name: string, path: RegExp])[] = [
  [
    'Search and records',
    /^\/api\/data\/(search|records)|^\/api\/integrations\/entities\/(mini|templates|aggregation|versions)/,
  ],
  ['Queries', /^\/api\/data\/(jnata-queries|query)/],
  ['Views', /^\/api\/data\/views/],
  ['Boards', /^\/api\/data\/boards/],
  ['Shared pages', /^\/api\/(share|data\/(invitations|shared))/],
  ['Alerts', /^\/api\/data\/alerts/],
  ['Syncs', /^\/api\/(events|integrations\/(synchronizations|schedules|entities$))/],
  ['Providers', /^\/api\/integrations\//],
  ['Notifications', /^\/api\/notifications/],
  ['Account and tokens', /^\/api\/accounts/],
  ['Sign-in', /^\/(auth|api\/product)/],
  ['Administration', /^\/api\/admin/],
];

const INTRODUCTION =
  'Calls send an API token, or the token of a session, in the header `Authorization: Bearer …`. Each call says which scope a token needs. An error has a code for programs and a sentence for people.';

const JSON_TYPE = 'application/json';

/** Media types of the answers of endpoints that the caller may choose from. */
const CHOICES: Partial<Record<EndpointName, readonly string[]>> = {
  exportRecords: EXPORT_FORMATS.map((format) => FILE_TYPES[format]),
  downloadQuery: DOWNLOAD_FORMATS.map((format) => FILE_TYPES[format]),
  downloadView: DOWNLOAD_FORMATS.map((format) => FILE_TYPES[format]),
  sharedDownload: DOWNLOAD_FORMATS.map((format) => FILE_TYPES[format]),
  viewFeed: FEED_FORMATS.map((format) => FEED_TYPES[format]),
};

/** Returns the errors that callers of an endpoint should expect. */
function errorsOf(name: EndpointName): (keyof typeof ERROR_EXAMPLES)[] {
  const { access, method, params, query, body }: Endpoint = ENDPOINTS[name];
  const isForTokens = !['open', 'session'].includes(TOKEN_ACCESS[name]);
  return [
    ...(access === 'none' ? [] : (['unauthenticated'] as const)),
    ...(isForTokens ? (['token-forbids'] as const) : []),
    ...(access === 'change' ? (['plan-forbids'] as const) : []),
    ...(access === 'administrator' ? (['administrator-only'] as const) : []),
    ...(params ? (['not-found'] as const) : []),
    ...(params || query || body ? (['validation-failed'] as const) : []),
    ...(method === 'GET' ? [] : (['rate-limited'] as const)),
    'internal',
  ];
}

function errorAnswer(name: EndpointName, answer: Answer | undefined): Answer {
  const examples = errorsOf(name).map((code: ErrorCode & keyof typeof ERROR_EXAMPLES) => [
    code,
    { summary: `Status ${ERROR_STATUS[code]}`, value: ERROR_EXAMPLES[code] },
  ]);
  const media = { ...answer?.content?.[JSON_TYPE], examples: Object.fromEntries(examples) };
  return { description: 'An error', content: { [JSON_TYPE]: media } };
}

/** Adds the example to the successful answer, or describes an answer without a schema by its media type. */
function successAnswer(name: EndpointName, answer: Answer | undefined): Answer {
  const { response, stream } = EXAMPLES[name];
  const description = 'Success';
  if (stream) {
    const schema = { type: 'string' };
    const others = (CHOICES[name] ?? []).filter((type) => type !== stream.type);
    const contents = others.map((type) => [type, { schema }]);
    return {
      description,
      content: { [stream.type]: { schema, example: stream.text }, ...Object.fromEntries(contents) },
    };
  }
  return { description, content: { [JSON_TYPE]: { ...answer?.content?.[JSON_TYPE], example: response } } };
}

/** Adds examples of the request, of the successful answer and of errors to an operation. */
function withExamples(path: string, operation: Operation): Operation {
  const name = operation.operationId;
  if (name === undefined) return operation;
  const { params, query, body } = EXAMPLES[name];
  const values: Record<string, unknown> = { ...params, ...query };
  const { status = 200 }: Endpoint = ENDPOINTS[name];
  return {
    ...operation,
    tags: TAGS.filter(([, paths]) => paths.test(path))
      .slice(0, 1)
      .map(([tag]) => tag),
    ...(operation.parameters && {
      parameters: operation.parameters.map((parameter) => ({
        ...parameter,
        ...(values[parameter.name] !== undefined && { example: values[parameter.name] }),
      })),
    }),
    ...(operation.requestBody && {
      requestBody: {
        ...operation.requestBody,
        content: { [JSON_TYPE]: { ...operation.requestBody.content[JSON_TYPE], example: body } },
      },
    }),
    responses: {
      [status]: successAnswer(name, operation.responses?.[status]),
      default: errorAnswer(name, operation.responses?.default),
    },
  };
}

/**
 * Completes the description of the API by examples and errors.
 * @param prefix of its paths, `/api` or `/api/v1`
 */
export function completeDescription<D extends ApiDescription>(description: D, prefix: '/api' | '/api/v1'): D {
  const paths = Object.entries(description.paths ?? {}).map(([path, operations]) => [
    path.replace(/^\/api(?=\/)/, prefix),
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [method, withExamples(path, operation)]),
    ),
  ]);
  return {
    ...description,
    info: { ...description.info, description: INTRODUCTION },
    tags: TAGS.map(([name]) => ({ name })),
    paths: Object.fromEntries(paths),
  };
}
