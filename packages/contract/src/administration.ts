import { z } from 'zod';
import { diskUseSchema } from './accounts.ts';
import { defineEndpoints, okSchema, pageSchema } from './endpoint.ts';
import { planSchema } from './plans.ts';

/** What the audit log records, e.g. `plan-changed`. */
export const ADMIN_ACTIONS = [
  'plan-changed',
  'address-verified',
  'signed-out',
  'account-deleted',
  'administrator-granted',
  'administrator-revoked',
  'link-created',
  'token-created',
  'token-revoked',
  'sql-role-created',
  'sql-role-revoked',
  'connector-edited',
  'connector-discarded',
  'connector-published',
  'connector-restored',
  'connector-withdrawn',
  'connector-offered',
  'connector-deleted',
  'connector-client-changed',
  'connector-tried',
] as const;
export type AdminAction = (typeof ADMIN_ACTIONS)[number];

const accountIdSchema = z.object({ id: z.uuid().max(36) });

/** Plans that an administrator may give to an account; a demo account stays one. */
const givenPlanSchema = planSchema.exclude(['demo']);

/** Longest search for accounts, UTF-16 units. */
export const ACCOUNT_SEARCH_LENGTH = 254;

/** An account as administrators see it: `{ _id: '0b1f…', name: 'Ada', email: 'ada@example.org', status: 'pro', … }`. */
const adminAccountSchema = z.object({
  _id: z.string(),
  name: z.string(),
  /** Empty when the identity provider sent none. */
  email: z.string(),
  /** True for an address that the user typed and nobody has verified. */
  isUnverified: z.boolean().optional(),
  status: planSchema,
  isAdministrator: z.boolean(),
  /** Titles of the identity providers of its sign-in methods, and of passkeys, e.g. `['Google', 'Passkey']`. */
  signInMethods: z.array(z.string()),
  /** Titles of the providers that are connected, e.g. `['Gmail', 'GitHub']`. */
  providers: z.array(z.string()),
  /** ISO 8601. */
  createdAt: z.string(),
  /** At most an hour before the last request, ISO 8601. */
  lastSeenAt: z.string(),
});
export type AdminAccount = z.infer<typeof adminAccountSchema>;

/** A page of accounts, newest first, without demo accounts. */
const adminAccountsSchema = z.object({ results: z.array(adminAccountSchema), count: z.number().int() });
export type AdminAccounts = z.infer<typeof adminAccountsSchema>;

/** An account with its counts; never records, names of views, or tokens. */
const adminAccountDetailSchema = adminAccountSchema.extend({
  /** Open sessions. */
  sessions: z.number().int(),
  /** API tokens, with expired ones. */
  tokens: z.number().int(),
  entities: diskUseSchema.shape.entities,
  /** Runs of this month by entity; null allows any number. */
  runs: z.array(
    z.object({
      entity: z.string(),
      title: z.string(),
      used: z.number().int(),
      allowed: z.number().int().nullable(),
    }),
  ),
});
export type AdminAccountDetail = z.infer<typeof adminAccountDetailSchema>;

const entityLimitsSchema = z.object({
  /** Largest number of records that a sync keeps of a scope; null for no limit. */
  cap: z.number().int().nullable(),
  /** Runs of a calendar month; null for no limit. */
  monthlyRuns: z.number().int().nullable(),
  /** Scopes of a source; null for no limit. */
  scopes: z.number().int().nullable(),
});

/** The plans: how many accounts have each, and the limits of each entity. */
const adminPlansSchema = z.object({
  /** Where the limits come from: the product, a file of PLAN_LIMITS, or PLAN_LIMITS=none. */
  source: z.enum(['product', 'file', 'none']),
  accounts: z.record(planSchema, z.number().int()),
  entities: z.array(
    z.object({
      entity: z.string(),
      title: z.string(),
      provider: z.string(),
      limits: z.record(planSchema, entityLimitsSchema),
    }),
  ),
});
export type AdminPlans = z.infer<typeof adminPlansSchema>;

/** One result of a check: `{ state: 'warning', text: 'The disk … has 0.8 GB free.', advice: 'Free space there.' }`. */
const findingSchema = z.object({
  state: z.enum(['ok', 'warning', 'problem']),
  text: z.string(),
  /** What to do about it. */
  advice: z.string().optional(),
});
export type AdminFinding = z.infer<typeof findingSchema>;

/** The state of the server. Figures are those of the process that answers, except for jobs and database. */
const adminHealthSchema = z.object({
  checks: z.array(findingSchema),
  version: z.string(),
  /** Version of Node, e.g. `22.19.0`. */
  node: z.string(),
  /** When the process started, ISO 8601. */
  startedAt: z.string(),
  /** Size of the database, bytes, and the version of PostgreSQL; null when it does not answer, which also empties `tables` and `jobs`. */
  database: z.object({ version: z.string(), bytes: z.number() }).nullable(),
  /** Space on the disk of the data folder, bytes; null when it cannot be read. */
  disk: z.object({ free: z.number(), size: z.number() }).nullable(),
  /** Tables of records over all accounts, with their indexes, largest first. */
  tables: z.array(z.object({ entity: z.string(), title: z.string(), bytes: z.number() })),
  /** Background work by queue. */
  jobs: z.array(
    z.object({
      queue: z.string(),
      /** Due jobs that no worker has fetched yet. */
      waiting: z.number().int(),
      running: z.number().int(),
      /** Jobs whose last attempt failed and that are not due again; most will be. */
      failed: z.number().int(),
      /** Time since the oldest waiting job was due, s. */
      oldestSeconds: z.number(),
    }),
  ),
});
export type AdminHealth = z.infer<typeof adminHealthSchema>;

const adminFindingsSchema = z.object({ checkedAt: z.string(), findings: z.array(findingSchema) });
export type AdminFindings = z.infer<typeof adminFindingsSchema>;

/** An account that an entry of the audit log names. Name and address are absent when it was deleted. */
const auditedAccountSchema = z.object({
  _id: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
});

/** What an administrator did: `{ actor: 'account', by: { name: 'Ada', … }, action: 'plan-changed', detail: 'standard → pro', … }`. */
const auditEntrySchema = z.object({
  _id: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** `shell`: a command of `datadeck`. `server`: Datadeck itself, for the first account. */
  actor: z.enum(['account', 'shell', 'server']),
  /** The administrator; null for other actors. */
  by: auditedAccountSchema.nullable(),
  action: z.enum(ADMIN_ACTIONS),
  /** The account that was changed; null for what belongs to the server. */
  account: auditedAccountSchema.nullable(),
  detail: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

const auditLogSchema = z.object({ results: z.array(auditEntrySchema), count: z.number().int() });
export type AuditLog = z.infer<typeof auditLogSchema>;

/** Endpoints for administrators: by session only, never by token. */
export const ADMIN_ENDPOINTS = defineEndpoints({
  adminAccounts: {
    method: 'GET',
    path: '/api/admin/accounts',
    summary: 'Accounts, newest first, 20 per page; `search` is part of a name or address, or an id',
    access: 'administrator',
    query: z.object({ search: z.string().trim().max(ACCOUNT_SEARCH_LENGTH).default(''), page: pageSchema }),
    response: adminAccountsSchema,
  },
  adminAccount: {
    method: 'GET',
    path: '/api/admin/accounts/{id}',
    summary: 'An account with the counts of what it stores and uses',
    access: 'administrator',
    params: accountIdSchema,
    response: adminAccountDetailSchema,
  },
  adminChangePlan: {
    method: 'PUT',
    path: '/api/admin/accounts/{id}/plan',
    summary: 'Change the plan of an account',
    access: 'administrator',
    params: accountIdSchema,
    body: z.object({ plan: givenPlanSchema }),
    response: okSchema,
  },
  adminSetAdministrator: {
    method: 'PUT',
    path: '/api/admin/accounts/{id}/administrator',
    summary: 'Make an account an administrator, or end that; the last one stays',
    access: 'administrator',
    params: accountIdSchema,
    body: z.object({ isAdministrator: z.boolean() }),
    response: okSchema,
  },
  adminSignOut: {
    method: 'POST',
    path: '/api/admin/accounts/{id}/sign-out',
    summary: 'End all sessions and unused sign-in links of an account; its API tokens stay valid',
    access: 'administrator',
    params: accountIdSchema,
    response: okSchema,
  },
  adminDeleteAccount: {
    method: 'POST',
    path: '/api/admin/accounts/{id}/delete',
    summary: 'Delete an account with all its data; `confirmation` is its address, or its id if it has none',
    access: 'administrator',
    params: accountIdSchema,
    body: z.object({ confirmation: z.string().trim().min(1, 'Required').max(1000) }),
    response: okSchema,
  },
  adminPlans: {
    method: 'GET',
    path: '/api/admin/plans',
    summary: 'Accounts by plan, and the limits of each plan',
    access: 'administrator',
    response: adminPlansSchema,
  },
  adminHealth: {
    method: 'GET',
    path: '/api/admin/health',
    summary: 'Version, checks, disk, database and background work',
    access: 'administrator',
    response: adminHealthSchema,
  },
  adminFindings: {
    method: 'POST',
    path: '/api/admin/doctor',
    summary: 'Run the checks of `datadeck doctor`; changes nothing and takes up to a minute',
    access: 'administrator',
    response: adminFindingsSchema,
  },
  adminAudit: {
    method: 'GET',
    path: '/api/admin/audit',
    summary: 'What administrators did, newest first, 20 per page; the newest 10,000 entries are kept',
    access: 'administrator',
    query: z.object({ page: pageSchema }),
    response: auditLogSchema,
  },
});
