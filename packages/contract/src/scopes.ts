import { z } from 'zod';
import { accountNameSchema, defineEndpoints, idSchema, okSchema, pageSchema } from './endpoint.ts';
import { syncSummarySchema } from './sync-summary.ts';

/** Limits of scopes: length of a name or pattern, UTF-16 units; names and patterns of a source; rows of a page of each list. */
export const SCOPE_LIMITS = {
  text: 1000,
  perSource: 1000,
  choicesPage: 100,
  runPage: 100,
  named: 20,
} as const;

/** Names and patterns of scopes: `['octo-org/octo-repo', 'octo-org/*']`. */
export const scopeListSchema = z
  .array(z.string().min(1, 'Required').max(SCOPE_LIMITS.text))
  .max(SCOPE_LIMITS.perSource, `Choose at most ${SCOPE_LIMITS.perSource.toLocaleString('en')}`);

/** Returns whether a text is a day that exists, e.g. `2026-01-31`. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Day (UTC) since which records are wanted, e.g. `2026-01-31`. */
export const sinceSchema = z.string().max(10).refine(isDay, 'Must be a day such as 2026-01-31');

/** A scope that an account can see: `{ name: 'octo-org/octo-repo', group: 'octo-org', stored: 412, … }`. */
export const scopeChoiceSchema = z.object({
  name: z.string(),
  /** What a person reads, e.g. the name of a label. */
  title: z.string(),
  /** Owner of a repository; empty without groups. */
  group: z.string(),
  isPrivate: z.boolean(),
  isFork: z.boolean(),
  isArchived: z.boolean(),
  isTrash: z.boolean(),
  /** Records that the provider counts; null when it does not say. */
  count: z.number().int().nullable(),
  /** ISO instant of the last push or message; null when unknown. */
  changedAt: z.string().nullable(),
  /** Stored records. */
  stored: z.number().int(),
});
export type ScopeChoice = z.infer<typeof scopeChoiceSchema>;

/** A page of the scopes that an account can see, and the patterns that choose many of them. */
export const scopeChoicesSchema = z.object({
  results: z.array(scopeChoiceSchema),
  /** Number of scopes that match the search. */
  count: z.number().int(),
  /** Patterns that choose many scopes: `{ pattern: 'octo-org/*', title: 'All repositories of octo-org', count: 12 }`. */
  patterns: z.array(z.object({ pattern: z.string(), title: z.string(), count: z.number().int() })),
  /** True if the account has more scopes than are listed. */
  isLimited: z.boolean(),
});
export type ScopeChoices = z.infer<typeof scopeChoicesSchema>;

/** A scope of a sync and how its reading ended: `{ name: 'octo-org/octo-repo', status: 'finished', summary: { added: 20, … } }`. */
export const syncScopeSchema = z.object({
  name: z.string(),
  status: z.enum(['waiting', 'finished', 'failed']),
  /** Why it failed, or what it was called before; null otherwise. */
  message: z.string().nullable(),
  summary: syncSummarySchema,
});
export type SyncScope = z.infer<typeof syncScopeSchema>;

const place = z.object({ providerId: idSchema, entityLabel: idSchema });

/** Endpoints of the scopes that a source reads. */
export const SCOPE_ENDPOINTS = defineEndpoints({
  scopeChoices: {
    method: 'GET',
    path: '/api/integrations/scopes/{providerId}/{entityLabel}',
    summary: 'Scopes that an account can see, e.g. repositories or mailboxes, pages of 100',
    access: 'change',
    params: place,
    query: z.object({ account: accountNameSchema, search: z.string().max(200).optional(), page: pageSchema }),
    response: scopeChoicesSchema,
  },
  saveSource: {
    method: 'PUT',
    path: '/api/integrations/sources/{providerId}/{entityLabel}',
    summary: 'Choose the scopes that syncs of an entity of an account read; no scopes: those of its settings',
    access: 'change',
    params: place,
    body: z.object({ account: accountNameSchema, scopes: scopeListSchema, since: sinceSchema.nullish() }),
    response: okSchema,
  },
  syncScopes: {
    method: 'GET',
    path: '/api/integrations/synchronizations/{id}/scopes',
    summary: 'Scopes of a sync and how the reading of each ended, pages of 100, failed ones first',
    access: 'user',
    params: z.object({ id: idSchema }),
    query: z.object({ page: pageSchema }),
    response: z.object({ results: z.array(syncScopeSchema), count: z.number().int() }),
  },
});
