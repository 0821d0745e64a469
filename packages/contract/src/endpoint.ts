import { z } from 'zod';

/** One call of the wire. Paths use `{name}` for parameters, as OpenAPI does. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  summary: string;
  /** none: anybody · user: a session · change: a session whose plan may change things (403 otherwise). */
  access: 'none' | 'user' | 'change';
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Absent for streams and downloads. */
  response?: z.ZodType;
  status?: number;
}

/** The answer of a call that has nothing to tell. */
export const okSchema = z.object({ ok: z.literal(true) });
/** Id or key in a request, such as a UUID or `gh-pulls`; ids of mail records name their mailbox, so up to 1,000 characters. */
export const idSchema = z.string().min(1, 'Required').max(1000);
export const pageSchema = z.coerce.number().int().min(1).max(1_000_000).default(1);

/** Endpoints, each with its own type. */
export function define<const E extends Record<string, Endpoint>>(endpoints: E): E {
  return endpoints;
}
