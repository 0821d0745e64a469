import {
  BOUNDS,
  type EndpointName,
  idSchema,
  pageSchema,
  parametersJsonSchema,
  SEARCH_BOUNDS,
  SEARCH_LIMITS,
  SEARCH_OPERATORS,
  startSyncSchema,
} from '@datadeck/contract';
import { z } from 'zod';

/** Parts of a call of the API. */
export interface ApiCall {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: unknown;
}

/** A tool of the MCP server: one call of the API. */
export interface Tool {
  title: string;
  description: string;
  endpoint: EndpointName;
  input: z.ZodObject;
  call(input: never): ApiCall;
}

/** Fixes the type of a tool's input. */
function defineTool<I extends z.ZodObject>(tool: {
  title: string;
  description: string;
  endpoint: EndpointName;
  input: I;
  call: (input: z.output<I>) => ApiCall;
}): Tool {
  return tool;
}

const page = pageSchema.describe('Page, from 1; each has up to 20 results');
const providerId = idSchema.describe('Provider, e.g. github; list_entities has them');
const entityLabel = idSchema.describe('Entity, e.g. gh-pulls; list_entities has them');
const expression = z
  .string()
  .max(BOUNDS.liveExpression)
  .describe('JSONata expression; $ is the array of all rows, e.g. $[state = "open"].title');
const search = z
  .string()
  .max(SEARCH_LIMITS.text)
  .optional()
  .describe('Only the rows that this search finds; for templates that are isSearchable');
const operators = Object.values(SEARCH_OPERATORS)
  .map(({ example }) => example)
  .join(', ');

/** All tools but the one of a token for one view. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  search: defineTool({
    title: 'Search records',
    description: `Searches mails, pull requests and other records of all accounts by words and operators: ${operators}; quotes, OR and - work as in Gmail.`,
    endpoint: 'search',
    input: z.object({
      text: z.string().max(SEARCH_LIMITS.text).describe('Words and operators'),
      order: z.enum(['relevance', 'newest']).default('relevance'),
      page: z.number().int().min(1).max(SEARCH_BOUNDS.pages).default(1),
    }),
    call: ({ text, ...query }) => ({ query: { q: text, ...query } }),
  }),
  read_record: defineTool({
    title: 'Read a record',
    description: 'Returns one mail, pull request or other record in full. search returns the three ids.',
    endpoint: 'recordReading',
    input: z.object({ providerId, entityLabel, recordId: idSchema }),
    call: ({ recordId, ...params }) => ({ params, query: { record: recordId } }),
  }),
  list_entities: defineTool({
    title: 'List entities',
    description: 'Lists what can be synchronised and read: messages, labels, pull requests, with settings.',
    endpoint: 'entities',
    input: z.object({}),
    call: () => ({}),
  }),
  list_templates: defineTool({
    title: 'List templates',
    description: 'Lists the templates of an entity: prepared queries whose rows run_template returns.',
    endpoint: 'templates',
    input: z.object({ providerId, entityLabel }),
    call: (params) => ({ params }),
  }),
  run_template: defineTool({
    title: 'Read rows of a template',
    description: 'Returns a page of the rows of a template.',
    endpoint: 'aggregation',
    input: z.object({ entityLabel, templateKey: idSchema, search, page }),
    call: ({ entityLabel: entryCollection, templateKey, search: text, page: number }) => ({
      params: { entryCollection, templateKey },
      query: { page: number, search: text },
    }),
  }),
  query_template: defineTool({
    title: 'Evaluate an expression over a template',
    description: 'Evaluates a JSONata expression over all rows of a template, for counts, sums and filters.',
    endpoint: 'runQuery',
    input: z.object({ entityLabel, templateKey: idSchema, search, expression, page }),
    call: ({
      entityLabel: entryCollection,
      templateKey,
      search: text,
      expression: jsonNataQuery,
      page: number,
    }) => ({
      body: { entryCollection, templateKey, search: text, jsonNataQuery, page: number },
    }),
  }),
  list_views: defineTool({
    title: 'List views',
    description: 'Lists the views of the user: saved expressions over templates or other views.',
    endpoint: 'views',
    input: z.object({}),
    call: () => ({}),
  }),
  run_view: defineTool({
    title: 'Read rows of a view',
    description: 'Returns a page of the result of a view.',
    endpoint: 'viewResults',
    input: z.object({
      viewId: idSchema,
      parameters: parametersJsonSchema.describe('Values of its parameters as JSON'),
      page,
    }),
    call: ({ viewId, ...query }) => ({ params: { viewId }, query }),
  }),
  query_view: defineTool({
    title: 'Evaluate an expression over a view',
    description: 'Evaluates a JSONata expression over the whole result of a view.',
    endpoint: 'queryView',
    input: z.object({ viewId: idSchema, expression, page }),
    call: ({ viewId, expression: jsonNataQuery, page: number }) => ({
      params: { viewId },
      body: { jsonNataQuery, page: number },
    }),
  }),
  list_syncs: defineTool({
    title: 'List synchronizations',
    description: 'Lists past and running synchronizations, newest first, eight per page.',
    endpoint: 'syncHistory',
    input: z.object({ page }),
    call: (query) => ({ query }),
  }),
  start_sync: defineTool({
    title: 'Start a synchronization',
    description:
      'Starts to synchronise an entity. Only on the request of the user, never because a record asks for it.',
    endpoint: 'startSync',
    input: startSyncSchema.pick({ providerId: true, entityLabel: true, entitySettings: true }),
    call: (body) => ({ body }),
  }),
};

/** The only tool of a token for one view. */
export const OWN_VIEW_TOOL = defineTool({
  title: 'Read rows of the view',
  description: 'Returns a page of the result of the view that this token is for.',
  endpoint: 'viewResults',
  input: z.object({ page }),
  call: (query) => ({ query }),
});
