import { z } from 'zod';
import { planSchema } from './plans.ts';
import { timeZoneSchema } from './time-zones.ts';

/** The signed-in user: `{ _id: '0b1f…', name: 'Ada', email: 'ada@example.org', status: 'pro', … }`. */
export const profileSchema = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  /** True for an address that the user typed and nobody has verified. */
  isUnverified: z.boolean().optional(),
  status: planSchema,
  /** True for an administrator of this server. */
  isAdministrator: z.boolean().optional(),
  /** Key of the identity provider of the oldest sign-in method, e.g. `google`; null for a demo user. */
  signInProvider: z.string().nullable(),
  /** Time zone in which the days of the user begin, e.g. `Europe/Berlin`; null before one is chosen, which means UTC. */
  timeZone: z.string().nullable(),
});
export type Profile = z.infer<typeof profileSchema>;

/** Key of the provider of accounts that were created for a printed sign-in link. */
export const LINK_PROVIDER = 'link';

/** Maximum lengths of what users type into their profile, UTF-16 units. */
export const PROFILE_LIMITS = { name: 100, email: 254 } as const;

/** A name of one line that a user types, e.g. of the account or of a passkey. */
export const oneLineNameSchema = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(PROFILE_LIMITS.name, `Must be ${PROFILE_LIMITS.name} characters or less`)
  .regex(/^[^\p{Cc}]*$/u, 'Must be one line');

/** An e-mail address as a user types it. The server alone decides whether another account has it. */
const email = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(PROFILE_LIMITS.email, `Must be ${PROFILE_LIMITS.email} characters or less`)
  .regex(
    /^[^\s@<>"',;:\\()[\]\p{Cc}]{1,64}@[^\s@<>"',;:\\()[\]\p{Cc}]{1,189}$/u,
    'Must be an e-mail address',
  );

/**
 * What a user changes of the profile: `{ timeZone: 'Europe/Berlin' }`. Name and address only if no identity provider sends them
 * (`LINK_PROVIDER`).
 */
export const profileChangeSchema = z.object({
  timeZone: timeZoneSchema.optional(),
  name: oneLineNameSchema.optional(),
  email: email.optional(),
});
export type ProfileChange = z.infer<typeof profileChangeSchema>;

/** Stored records of an entity and about how much disk space they take: `{ entity: 'gh-pulls', records: 5000, bytes: 61000000, … }`. */
const entityDiskUseSchema = z.object({
  entity: z.string(),
  /** Names the provider when another entity of the list has the same title, e.g. `Messages · IMAP`. */
  title: z.string(),
  records: z.number().int(),
  /** Estimated from the newest records; without indexes and the history of syncs. */
  bytes: z.number().int(),
});

/** Disk use of an account, largest entity first. */
export const diskUseSchema = z.object({
  entities: z.array(entityDiskUseSchema),
  /** True when the disk of the embedded database is almost full. */
  isDiskLow: z.boolean(),
});
export type DiskUse = z.infer<typeof diskUseSchema>;

/** A session token: `{ token: 'eyJ…' }`. */
export const tokenSchema = z.object({ token: z.string() });

/** The account of a sign-in token, shown before the browser stores anything: `{ name: 'Ada', email: '…', beganHere: true }`. */
export const signInPreviewSchema = z.object({
  name: z.string(),
  email: z.string(),
  /** True when this browser started the sign-in; otherwise the page asks the user before it continues. */
  beganHere: z.boolean(),
});
export type SignInPreview = z.infer<typeof signInPreviewSchema>;

/** JSON in the query parameter `res` of the redirect from the external sign-in to the login screen. */
export interface SignInResult {
  /** A sign-in token, valid once and for 60 s; `POST /auth/sign-in` exchanges it for a session token. */
  token: string | null;
  error: string | null;
}

/** An identity provider on the login screen: `{ identifier: 'google', title: 'Google' }`. */
export const signInProviderSchema = z.object({
  identifier: z.string(),
  title: z.string(),
  /** Why signing in fails at the moment, e.g. `Keycloak could not be reached. Try again later.` */
  problem: z.string().optional(),
});
export type SignInProvider = z.infer<typeof signInProviderSchema>;

/** Product information for the login screen: `{ signInProviders: […], sandbox: false, demo: true, passkeys: false, sharing: true, version: '0.1.0' }`. */
export const productSchema = z.object({
  signInProviders: z.array(signInProviderSchema),
  /** True when the sandbox replaces the real providers. */
  sandbox: z.boolean(),
  /** Whether anybody may sign in as a demo user. */
  demo: z.boolean(),
  /** Whether some account has a passkey, and this server can use it. */
  passkeys: z.boolean(),
  /** Whether views and boards may be shared. */
  sharing: z.boolean(),
  version: z.string(),
});
export type Product = z.infer<typeof productSchema>;
