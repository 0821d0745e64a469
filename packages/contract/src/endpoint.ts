import { z } from 'zod';
import { BOUNDS } from './limits.ts';

/** One endpoint of the API. Paths use `{name}` for parameters, like OpenAPI. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  summary: string;
  /**
   * none: public · user: needs a session · change: needs a session whose plan allows changes · administrator: needs a session of
   * an administrator (403 otherwise) · share: needs a share session.
   */
  access: 'none' | 'user' | 'change' | 'administrator' | 'share';
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Absent for streams and downloads. */
  response?: z.ZodType;
  status?: number;
}

/** The response of an endpoint without a result: `{ ok: true }`. */
export const okSchema = z.object({ ok: z.literal(true) });
/** Id or key in a request, e.g. a UUID or `gh-pulls`; up to 1,000 UTF-16 units, since ids of mail contain the mailbox. */
export const idSchema = z.string().min(1, 'Required').max(1000);
/**
 * Account at a provider by its name, e.g. `ada@example.org`. Absent or empty: all accounts for what is read, and for a sync the
 * account of the entity's latest one.
 */
export const accountNameSchema = z.string().max(BOUNDS.accountName).optional();
/** Page number in a query, from 1, e.g. `?page=2`. */
export const pageSchema = z.coerce.number().int().min(1).max(1_000_000).default(1);

/** Declares endpoints; the function only fixes the type of each. */
export function defineEndpoints<const E extends Record<string, Endpoint>>(endpoints: E): E {
  return endpoints;
}
