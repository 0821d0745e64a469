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

/** JSON in the query parameter `res` with which the external sign-in returns to the login screen. */
export interface SignInResult {
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
