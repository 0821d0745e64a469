import { ADMIN_ACTIONS } from '@datadeck/contract';
import { bigint, boolean, index, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from '../../platform/db/columns.ts';

/** Accounts. */
export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    /** False for an address that the user typed and nobody has verified. */
    emailVerified: boolean().notNull().default(true),
    plan: text({ enum: ['demo', 'standard', 'pro'] }).notNull(),
    /** Key of the identity provider of the oldest sign-in method; null for a demo user. */
    signInProvider: text(),
    /** Time zone in which the days of searches begin; null before one is chosen, which means UTC. */
    timeZone: text(),
    /** Whether failed syncs, failed alerts and expiring tokens are mailed. */
    noticeMails: boolean().notNull().default(false),
    /** Whether it is an administrator of this server. */
    isAdministrator: boolean().notNull().default(false),
    createdAt: instant().notNull().defaultNow(),
    /** Time of the last extension of a session: at most an hour before the user's last request. */
    seenAt: instant().notNull().defaultNow(),
  },
  (table) => [index('users_plan_seen').on(table.plan, table.seenAt)],
);

/** The sign-in methods of accounts. Identified by (issuer, subject), never by e-mail address. */
export const identities = pgTable(
  'identities',
  {
    /** Names the method in requests of its owner. */
    id: uuid().notNull().defaultRandom(),
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Key of the identity provider at the last sign-in. */
    provider: text().notNull(),
    /** Address that the provider sent last; empty when it sent none. */
    email: text().notNull(),
    /** The oldest method of an account sets its name and e-mail address. */
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index('identities_user').on(table.userId),
  ],
);

/** Passkeys of accounts. A sign-in names the account by the user handle, so that it is found by its user. */
export const passkeys = pgTable(
  'passkeys',
  {
    userId: uuid().notNull(),
    /** Names the passkey in requests of its owner. */
    id: uuid().notNull(),
    /** Id that the authenticator chose, base64url. */
    credentialId: text().notNull(),
    /** COSE key. */
    publicKey: bytes().notNull(),
    /** Signature counter of the last use; 0 for authenticators that do not count. */
    counter: bigint({ mode: 'number' }).notNull(),
    /** How the browser reaches the authenticator, e.g. `internal`, `usb`. */
    transports: text().array().notNull(),
    name: text().notNull(),
    /** Whether the provider of the passkey keeps a copy, by its last use. */
    isBackedUp: boolean().notNull(),
    createdAt: instant().notNull().defaultNow(),
    lastUsedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    unique('passkeys_credential').on(table.userId, table.credentialId),
  ],
);

/** Tables of open sessions and unfinished sign-ins, which a restored database must not have. */
export const SESSION_TABLES = ['sessions', 'sign_in_tokens', 'auth_attempts'] as const;

/** Open sessions of users. */
export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the token. */
    tokenHash: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expiry').on(table.expiresAt)],
);

/** Tokens of finished sign-ins that the browser has not yet exchanged for a session. */
export const signInTokens = pgTable(
  'sign_in_tokens',
  {
    /** SHA-256 of the token. */
    tokenHash: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the cookie of the browser that started the sign-in; null when none did. */
    browserHash: text(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index('sign_in_tokens_user').on(table.userId),
    index('sign_in_tokens_expiry').on(table.expiresAt),
  ],
);

/** Authorisations in progress: the browser is at the provider and has not reached the callback. */
export const authAttempts = pgTable(
  'auth_attempts',
  {
    /** SHA-256 of the `state`. */
    stateHash: text().primaryKey(),
    provider: text().notNull(),
    /** Null for a sign-in; otherwise the user who connects the provider or adds a sign-in method. */
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token of the session that adds a sign-in method; null for other attempts. */
    sessionHash: text(),
    /** SHA-256 of the cookie that binds the attempt to the browser. */
    browserHash: text().notNull(),
    /** PKCE verifier and nonce, encrypted. */
    secrets: jsonb().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [index('auth_attempts_expiry').on(table.expiresAt)],
);

/**
 * What has happened once in this installation, by name. `first-account`: the first account was made an administrator, or the
 * installation had accounts before there were administrators.
 */
export const installationMarks = pgTable('installation_marks', {
  name: text().primaryKey(),
  at: instant().notNull().defaultNow(),
});

/** What administrators did. Accounts are named by their ids alone, so nothing personal is left of a deleted one. */
export const auditEntries = pgTable('audit_entries', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: instant().notNull().defaultNow(),
  /** `shell`: a command of `datadeck`. `server`: Datadeck itself. */
  actor: text({ enum: ['account', 'shell', 'server'] }).notNull(),
  /** The administrator; null for other actors. */
  actorId: uuid(),
  action: text({ enum: ADMIN_ACTIONS }).notNull(),
  /** The account that was changed; null for what belongs to the server. */
  accountId: uuid(),
  /** What changed, e.g. `standard → pro`; empty when the action says it all. */
  detail: text().notNull().default(''),
});
