import { z } from 'zod';
import { planSchema } from './plans.ts';

export const profileSchema = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  status: planSchema,
  /** Key of the identity provider signed in with; null for a demo user. */
  signInProvider: z.string().nullable(),
});
export type Profile = z.infer<typeof profileSchema>;

export const tokenSchema = z.object({ token: z.string() });

/** The account that a sign-in token belongs to, shown before anything is stored in the browser. */
export const signInPreviewSchema = z.object({
  name: z.string(),
  email: z.string(),
  /** True when this browser began the sign-in; otherwise the page asks before it continues. */
  beganHere: z.boolean(),
});
export type SignInPreview = z.infer<typeof signInPreviewSchema>;

/** JSON in the query parameter `res` with which the external sign-in returns to the login screen. */
export interface SignInResult {
  /** A sign-in token: good once and for 60 s, exchanged for a session token by `POST /auth/sign-in`. */
  token: string | null;
  error: string | null;
}

export const signInProviderSchema = z.object({ identifier: z.string(), title: z.string() });

/** What the web app must know before anybody signed in. */
export const productSchema = z.object({
  signInProviders: z.array(signInProviderSchema),
  /** True when the providers are the sandbox's stand-ins. */
  sandbox: z.boolean(),
  version: z.string(),
});
export type Product = z.infer<typeof productSchema>;
