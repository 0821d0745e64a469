import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import { GithubError } from './github-error.ts';
import { admitVisitor, spendPoints } from './github-guard.ts';
import type { GithubCaller, GithubService } from './github-service.ts';
import { queryCost } from './graphql-cost.ts';
import { FieldError, GraphqlRefusal, pointsUsedUp } from './graphql-error.ts';
import { rootOf } from './graphql-resolvers.ts';
import { SCHEMA } from './graphql-schema.ts';
import { userId } from './user-shape.ts';

const MAX_TOKENS = 5000;
const MAX_NODES = 500_000;
/** Number of queries that are kept parsed. */
const MAX_KEPT = 50;

/** Registers the GraphQL API. */
export function registerGraphql(scope: FastifyInstance, github: GithubService): void {
  scope.post('/graphql', async (request, reply) => answerQuery(github, request, reply));
}

async function answerQuery(github: GithubService, request: FastifyRequest, reply: FastifyReply) {
  const visitor = admitVisitor(github, request, reply, 'graphql');
  if (!visitor) throw new GithubError(401, 'This endpoint requires you to be authenticated.');
  const { query, variables, operationName } = bodyOf(request);
  const document = documentOf(query);
  const operation = operationOf(document, operationName);
  const values = valuesOf(operation, variables);
  const { points, nodes } = queryCost(SCHEMA, document, operation, values);
  if (nodes > MAX_NODES)
    throw new GraphqlRefusal({
      type: 'MAX_NODE_LIMIT_EXCEEDED',
      message: `This query requests up to ${nodes.toLocaleString('en')} possible nodes which exceeds the maximum limit of 500,000.`,
    });
  const rateLimit = { ...charge(github, visitor, reply, points), cost: points, nodeCount: nodes };
  const result = await execute({
    schema: SCHEMA,
    document,
    rootValue: rootOf({ github, visitor, rateLimit }),
    variableValues: variables,
    operationName,
  });
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(bodyFrom(result)));
}

/** Uses the points of a query. @throws GraphqlRefusal when too few are left */
function charge(github: GithubService, visitor: GithubCaller, reply: FastifyReply, points: number) {
  const { allowed, limit, remaining, used, resetAt } = spendPoints(github, visitor, reply, points);
  if (!allowed) throw pointsUsedUp(userId(visitor.account.login));
  return { limit, remaining, used, resetAt: `${new Date(resetAt).toISOString().slice(0, 19)}Z` };
}

interface QueryBody {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | undefined;
}

/** @throws GithubError 400 */
function bodyOf({ body }: FastifyRequest): QueryBody {
  const fields: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  const { query, variables, operationName } = fields;
  if (typeof query !== 'string')
    throw new GithubError(400, 'A query attribute must be specified and must be a string.', {
      documentation: 'https://docs.github.com/graphql',
    });
  return {
    query,
    variables: typeof variables === 'object' && variables !== null ? { ...variables } : {},
    operationName: typeof operationName === 'string' ? operationName : undefined,
  };
}

const documents = new Map<string, DocumentNode>();

/** Parses and validates a query. @throws GraphqlRefusal */
function documentOf(query: string): DocumentNode {
  const known = documents.get(query);
  if (known) return known;
  const document = parsed(query);
  const [error] = validate(SCHEMA, document, undefined, { maxErrors: 1 });
  if (error) throw refusalOf(error);
  documents.set(query, document);
  if (documents.size > MAX_KEPT) documents.delete(documents.keys().next().value ?? '');
  return document;
}

function parsed(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (error instanceof GraphQLError) throw refusalOf(error);
    throw error;
  }
}

function refusalOf({ message, locations }: GraphQLError): GraphqlRefusal {
  return new GraphqlRefusal({ ...(locations ? { locations } : {}), message });
}

/** Returns the operation to execute. @throws GraphqlRefusal for none, and for those that change data */
function operationOf(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operation = getOperationAST(document, name);
  if (operation?.operation === OperationTypeNode.QUERY) return operation;
  throw new GraphqlRefusal({ message: 'An operation name is required' });
}

function valuesOf(operation: OperationDefinitionNode, given: Record<string, unknown>) {
  const { errors, coerced } = getVariableValues(SCHEMA, operation.variableDefinitions ?? [], given, {
    maxErrors: 1,
  });
  if (errors?.[0]) throw refusalOf(errors[0]);
  return coerced ?? {};
}

/** Returns the body of an answer, with errors in GitHub's format. */
function bodyFrom({ data, errors }: ExecutionResult): Record<string, unknown> {
  if (!errors) return { data };
  return { data, errors: errors.map(errorShape) };
}

function errorShape({ message, path, locations, originalError }: GraphQLError): Record<string, unknown> {
  if (!(originalError instanceof FieldError)) return { path, locations, message };
  const { type, extensions } = originalError;
  return { type, path, ...(extensions ? { extensions } : {}), locations, message };
}
