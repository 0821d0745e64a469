import { z } from 'zod';
import {
  type FailedAnswer,
  type Json,
  type JsonObject,
  type ProviderClient,
  ProviderError,
} from '../../sdk/index.ts';
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
  extensions: z.object({ code: z.unknown().optional() }).optional().catch(undefined),
});

/** Returns the status of REST that means the same as the first error, and its message. */
function refusalOf(errors: unknown): { status: number; message: string } {
  const [first] = Array.isArray(errors) ? errors : [];
  const { type, message = '', extensions } = errorSchema.safeParse(first).data ?? {};
  const isOwn = type !== undefined || extensions?.code !== undefined;
  return { status: STATUSES[type ?? ''] ?? (isOwn ? INVALID : FAILING), message };
}

/** Returns whether a response has data for each field that was asked for; parts within may be missing. */
function hasData({ data }: GraphqlAnswer): boolean {
  return data !== null && data !== undefined && Object.values(data).every((value) => value !== null);
}

/** Classifies the errors of a response like those of REST; undefined if it has what was asked for. */
function classify(answer: { headers: Headers; body: GraphqlAnswer; now: number }): FailedAnswer | undefined {
  const { headers, body, now } = answer;
  if (hasData(body)) return undefined;
  const { status, message } = refusalOf(body.errors);
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
  { query, variables, signal }: GraphqlQuery,
): Promise<GraphqlResult> {
  const answer = await client.get<GraphqlAnswer>({
    path: url,
    json: { query, variables: variables as Json },
    headers: { accept: 'application/vnd.github+json' },
    units: 1,
    signal,
    classify,
  });
  const data = answer.body?.data;
  if (!data) throw new ProviderError('malformed', 'GitHub sent an answer without data.');
  const date = Date.parse(answer.headers.get('date') ?? '');
  return { data, answeredAt: Number.isNaN(date) ? Date.now() : date };
}
