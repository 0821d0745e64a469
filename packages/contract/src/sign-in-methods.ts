import { z } from 'zod';
import { defineEndpoints, okSchema } from './endpoint.ts';

/** A way to sign in to the account: `{ _id: '0b1f…', provider: 'google', title: 'Google', email: 'ada@example.org', createdAt: '…' }`. */
export const signInMethodSchema = z.object({
  _id: z.string(),
  /** Key of the identity provider; `link` for an account that was created for a printed sign-in link. */
  provider: z.string(),
  title: z.string(),
  /** Address that the provider sent last; empty when it sent none. */
  email: z.string(),
  /** When the method was added, ISO 8601. */
  createdAt: z.string(),
});
export type SignInMethod = z.infer<typeof signInMethodSchema>;

/** Query parameter `link` of the redirect to the Account screen: how adding a sign-in method ended. */
export type SignInMethodOutcome = 'linked' | 'taken' | 'failed';

/** Endpoints for the sign-in methods of an account. */
export const SIGN_IN_METHOD_ENDPOINTS = defineEndpoints({
  signInMethods: {
    method: 'GET',
    path: '/api/accounts/sign-in-methods',
    summary: 'Sign-in methods of the account, oldest first, at most 10',
    access: 'user',
    response: z.array(signInMethodSchema),
  },
  addSignInMethod: {
    method: 'POST',
    path: '/auth/sign-in-methods/{provider}',
    summary:
      "Start to add a sign-in method; returns the address of the provider's page. Needs the session cookie, too",
    access: 'change',
    params: z.object({ provider: z.string().min(1).max(100) }),
    response: z.object({ url: z.string() }),
  },
  removeSignInMethod: {
    method: 'DELETE',
    path: '/api/accounts/sign-in-methods/{id}',
    summary: 'Remove a sign-in method and end all other sessions; the last method cannot be removed',
    access: 'change',
    params: z.object({ id: z.uuid().max(36) }),
    response: okSchema,
  },
});
