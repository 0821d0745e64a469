import { z } from 'zod';
import { TOKEN_SCOPES } from './choices.ts';
import { defineEndpoints, okSchema, pageSchema } from './endpoint.ts';

const ONLY_VIEW = ['viewId', 'parameters', 'rowBudget'] as const;

/** Request to create a token: `{ name: 'Backup script', scope: 'read', expiresInDays: 90 }`. */
export const createTokenSchema = z
  .object({
    name: z.string().trim().min(1, 'Required').max(50, 'Must be 50 characters or less'),
    scope: z.enum(TOKEN_SCOPES),
    expiresInDays: z.number().int().min(1).max(366),
    /** For the scope `view`: the view, fixed values of its parameters as JSON, and the most rows it returns in all. */
    viewId: z.uuid().max(36).optional(),
    parameters: z.string().max(10_000).optional(),
    rowBudget: z.number().int().min(1).max(1_000_000_000).optional(),
  })
  .superRefine((token, check) => {
    const isView = token.scope === 'view';
    for (const name of ONLY_VIEW) {
      if (isView && name !== 'parameters' && token[name] === undefined)
        check.addIssue({ code: 'custom', path: [name], message: 'Required' });
      if (!isView && token[name] !== undefined)
        check.addIssue({ code: 'custom', path: [name], message: 'Only for the scope view' });
    }
  });
export type CreateToken = z.infer<typeof createTokenSchema>;

/** An API token without its secret. Times are ISO 8601. */
export const apiTokenSchema = z.object({
  _id: z.string(),
  name: z.string(),
  scope: z.enum(TOKEN_SCOPES),
  viewId: z.string().nullable(),
  parameters: z.string().nullable(),
  rowBudget: z.number().int().nullable(),
  rowsUsed: z.number().int(),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Time of the last call, at most a minute late; null before the first. */
  lastUsedAt: z.string().nullable(),
});
export type ApiToken = z.infer<typeof apiTokenSchema>;

/** A new token. Only this response contains the token itself: `{ token: 'ddt_…' }`. */
export const createdTokenSchema = apiTokenSchema.extend({ token: z.string() });
export type CreatedToken = z.infer<typeof createdTokenSchema>;

/**
 * A page of the access log, newest first: calls by token with the path of the endpoint, without its values. All calls of a token
 * that were refused are one row with the last of them, and their number in `times`.
 */
export const tokenUsesSchema = z.object({
  results: z.array(
    z.object({
      at: z.string(),
      tokenId: z.string(),
      name: z.string(),
      method: z.string(),
      path: z.string(),
      status: z.number().int(),
      times: z.number().int(),
    }),
  ),
  count: z.number().int(),
});
export type TokenUses = z.infer<typeof tokenUsesSchema>;

/** Endpoints of API tokens. They need a session: a token never reaches them. */
export const TOKEN_ENDPOINTS = defineEndpoints({
  tokens: {
    method: 'GET',
    path: '/api/accounts/tokens',
    summary: 'API tokens, oldest first, at most 50',
    access: 'user',
    response: z.array(apiTokenSchema),
  },
  createToken: {
    method: 'POST',
    path: '/api/accounts/tokens',
    summary: 'Create an API token; only this response contains it',
    access: 'change',
    body: createTokenSchema,
    response: createdTokenSchema,
    status: 201,
  },
  revokeToken: {
    method: 'DELETE',
    path: '/api/accounts/tokens/{id}',
    summary: 'Revoke an API token',
    access: 'change',
    params: z.object({ id: z.uuid().max(36) }),
    response: okSchema,
  },
  tokenUses: {
    method: 'GET',
    path: '/api/accounts/tokens/uses',
    summary: 'Calls by API tokens in the last 30 days, newest first, pages of 20',
    access: 'user',
    query: z.object({ page: pageSchema }),
    response: tokenUsesSchema,
  },
});
