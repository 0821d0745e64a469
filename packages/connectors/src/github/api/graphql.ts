import { z } from 'zod';
import { type FailedAnswer, type JsonObject, type ProviderClient, ProviderError } from '../../sdk/index.ts';
import { classifyGithub } from './classify.ts';

/** Statuses of REST that mean the same as types of GraphQL errors. */
const STATUSES: Readonly<Record<string, number>> = {
  RATE_LIMITED: 429,
  RATE_LIMIT: 429,
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
};
/** GitHub's errors without a type and a code are its own: a query that took too long, or one that failed. */
const FAILING = 502;
/** Type of an error of a query that needs too much of GitHub: the same query would fail again, a smaller one may not. */
const TOO_LARGE = 'RESOURCE_LIMITS_EXCEEDED';
/** Other errors are those of the query, e.g. a field that an older server does not have. */
const INVALID = 422;

interface GraphqlAnswer {
  data?: Record<string, unknown> | null;
  errors?: unknown;
}

/** A GraphQL query. GitHub charges one point for up to a hundred requests that its connections would need. */
export interface GraphqlQuery {
  query: string;
  variables: JsonObject;
  signal: AbortSignal;
  /** Fields that may be missing because of an error, e.g. one that needs another right. Any other error is a failure. */
  optional?: readonly string[];
}

/** The response to a query. */
export interface GraphqlResult {
  data: Readonly<Record<string, unknown>>;
  /** The Date header, ms since 1970. */
  answeredAt: number;
}

const errorSchema = z.object({
  type: z.string().optional().catch(undefined),
  message: z.string().catch(''),
  path: z.array(z.string().or(z.number())).optional().catch(undefined),
  extensions: z.object({ code: z.unknown().optional() }).optional().catch(undefined),
});

type GraphqlError = z.infer<typeof errorSchema>;

/** Returns the first error that is not about an optional field. */
function decisiveError(errors: unknown, optional: readonly string[]): GraphqlError | undefined {
  for (const raw of Array.isArray(errors) ? errors : []) {
    const error = errorSchema.safeParse(raw).data ?? { message: '' };
    if (!error.path?.some((part) => optional.includes(String(part)))) return error;
  }
  return undefined;
}

/** Returns the status of REST that means the same as an error. */
function statusOf({ type, extensions }: GraphqlError): number {
  const isOwn = type !== undefined || extensions?.code !== undefined;
  return STATUSES[type ?? ''] ?? (isOwn ? INVALID : FAILING);
}

/** Returns whether a response has data for each field that was asked for; parts within may be missing. */
function hasData({ data }: GraphqlAnswer): boolean {
  return data !== null && data !== undefined && Object.values(data).every((value) => value !== null);
}

/**
 * Classifies the errors of a response like those of REST; undefined if it has what was asked for. A part that is missing because
 * of an error is not taken for an empty one: GitHub leaves out what the token may not read, or what took too long.
 */
function classify(
  { headers, body, now }: { headers: Headers; body: GraphqlAnswer; now: number },
  optional: readonly string[],
): FailedAnswer | undefined {
  const error = decisiveError(body.errors, optional);
  if (!error && hasData(body)) return undefined;
  const { message } = error ?? { message: '' };
  if (error?.type === TOO_LARGE)
    return {
      kind: 'fail',
      failure: 'unavailable',
      message: 'GitHub cannot answer a query of this size. Try again later.',
    };
  const status = error ? statusOf(error) : FAILING;
  return classifyGithub({ status, headers, body: JSON.stringify({ message }), now });
}

/** Returns a text without its end, if it has that. */
function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}

/** GitHub's address of GraphQL for an address of REST: `https://api.github.com`, `https://github.example.org/api/v3`. */
export function graphqlUrl(apiUrl: string): string {
  return `${withoutEnd(withoutEnd(apiUrl, '/'), '/v3')}/graphql`;
}

/** Sends a query that costs one point. @throws ProviderError */
export async function queryGraphql(
  client: ProviderClient,
  url: string,
  { query, variables, signal, optional = [] }: GraphqlQuery,
): Promise<GraphqlResult> {
  const answer = await client.get<GraphqlAnswer>({
    path: url,
    text: JSON.stringify({ query, variables }),
    headers: { accept: 'application/vnd.github+json' },
    units: 1,
    signal,
    classify: (answered) => classify(answered, optional),
  });
  const data = answer.body?.data;
  if (!data) throw new ProviderError('malformed', 'GitHub sent an answer without data.');
  const date = Date.parse(answer.headers.get('date') ?? '');
  return { data, answeredAt: Number.isNaN(date) ? Date.now() : date };
}
