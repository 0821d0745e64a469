import { z } from 'zod';
import { TOKEN_SCOPES } from './choices.ts';
import { defineEndpoints, okSchema, pageSchema } from './endpoint.ts';

/** Limits of shared pages. */
export const SHARE_LIMITS = {
  /** Shortest and longest password, UTF-16 units. */
  password: [8, 200],
  /** Sites that may show a page in a frame, and the longest origin of one, UTF-16 units. */
  frameAncestors: 5,
  origin: 200,
  /** Longest part of a link, UTF-16 units. */
  linkPart: 100,
} as const;

/**
 * Returns whether a text is the origin of a web site: `https://wiki.example.org` or `http://localhost:8080`. Addresses allow more
 * characters in names of hosts than policies do.
 */
function isWebOrigin(text: string): boolean {
  return /^https?:\/\/[\w.-]+(:\d+)?$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

const [shortest, longest] = SHARE_LIMITS.password;
/** What only a token for one view or board has. Its page opens at the link of the created token. */
const reading = {
  viewId: z.uuid().max(36).optional(),
  boardId: z.uuid().max(36).optional(),
  /** Fixed values of the parameters as JSON; of a board, each view gets those that it has. */
  parameters: z.string().max(10_000).optional(),
  /** The most rows it returns in all. */
  rowBudget: z.number().int().min(1).max(1_000_000_000).optional(),
  /** The token then opens its page only. */
  password: z
    .string()
    .min(shortest, `Must be ${shortest} characters or more`)
    .max(longest, `Must be ${longest} characters or less`)
    .optional(),
  /** Origins of the sites that may show the page in a frame. */
  frameAncestors: z
    .array(
      z
        .string()
        .max(SHARE_LIMITS.origin)
        .refine(isWebOrigin, 'Must be the address of a site, such as https://wiki.example.org'),
    )
    .max(SHARE_LIMITS.frameAncestors, `At most ${SHARE_LIMITS.frameAncestors} sites`)
    .optional(),
};
const READING_NAMES = Object.keys(reading) as (keyof typeof reading)[];

/** Request to create a token: `{ name: 'Backup script', scope: 'read', expiresInDays: 90 }`. */
export const createTokenSchema = z
  .object({
    name: z.string().trim().min(1, 'Required').max(50, 'Must be 50 characters or less'),
    scope: z.enum(TOKEN_SCOPES),
    expiresInDays: z.number().int().min(1).max(366),
    ...reading,
  })
  .superRefine((token, check) => {
    const report = (name: string, message: string) =>
      check.addIssue({ code: 'custom', path: [name], message });
    const { scope } = token;
    if (scope !== 'view' && scope !== 'board') {
      for (const name of READING_NAMES)
        if (token[name] !== undefined) report(name, 'Only for the scopes view and board');
      return;
    }
    const [own, other] =
      scope === 'view' ? (['viewId', 'boardId'] as const) : (['boardId', 'viewId'] as const);
    for (const name of [own, 'rowBudget'] as const) if (token[name] === undefined) report(name, 'Required');
    if (token[other] !== undefined) report(other, `Not for the scope ${scope}`);
  });
export type CreateToken = z.infer<typeof createTokenSchema>;

/** An API token without its secret. Times are ISO 8601. */
export const apiTokenSchema = z.object({
  _id: z.string(),
  name: z.string(),
  scope: z.enum(TOKEN_SCOPES),
  viewId: z.string().nullable(),
  boardId: z.string().nullable(),
  parameters: z.string().nullable(),
  rowBudget: z.number().int().nullable(),
  rowsUsed: z.number().int(),
  hasPassword: z.boolean(),
  frameAncestors: z.array(z.string()),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Time of the last call, at most a minute late; null before the first. */
  lastUsedAt: z.string().nullable(),
});
export type ApiToken = z.infer<typeof apiTokenSchema>;

/** A new token. Only this response contains the token itself: `{ token: 'ddt_…', sharePath: null }`. */
export const createdTokenSchema = apiTokenSchema.extend({
  token: z.string(),
  /** The link of its page, `/share/…#…`; null for the other scopes, and while sharing is off. */
  sharePath: z.string().nullable(),
});
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
