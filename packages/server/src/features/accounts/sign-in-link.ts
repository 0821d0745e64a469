import { LINK_PROVIDER } from '@datadeck/contract';
import { eq, ne, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { issueLinkToken } from './sign-in-tokens.ts';
import { identities, sessions, users } from './tables.ts';
import { findOrCreateUser, type User } from './users.ts';

/** Path of a printed sign-in link; the token follows. */
export const LINK_PATH = '/auth/link';
/** Issuer of accounts that were created for a sign-in link. No OpenID issuer has this form. */
const LINK_ISSUER = 'datadeck:login';

/** Returns the account that sign-in links for an e-mail address created, or creates it with the plan `standard`. */
export function linkedUser(db: Database, email: string): Promise<User> {
  const subject = email.toLowerCase();
  const name = email.split('@')[0] ?? email;
  return findOrCreateUser({ db }, { issuer: LINK_ISSUER, subject, email, name }, LINK_PROVIDER);
}

/** Creates a link that signs in as a user, once and for `LINK_MINUTES`. @param publicUrl without a trailing slash */
export async function createSignInLink(db: Queryable, userId: string, publicUrl: string): Promise<string> {
  return `${publicUrl}${LINK_PATH}/${await issueLinkToken(db, userId)}`;
}

/**
 * Returns whether nobody uses this installation yet: there is no account, or only the owner's, which has no session.
 * Demo users do not count.
 */
export async function isWaitingForOwner(db: Queryable, email: string): Promise<boolean> {
  const others = await db
    .select({ issuer: identities.issuer, subject: identities.subject, session: sessions.tokenHash })
    .from(users)
    .leftJoin(identities, eq(identities.userId, users.id))
    .leftJoin(sessions, sql`${sessions.userId} = ${users.id} and ${sessions.expiresAt} > now()`)
    .where(ne(users.plan, 'demo'))
    .limit(2);
  return others.every((one) => one.issuer === LINK_ISSUER && one.subject === email && one.session === null);
}
