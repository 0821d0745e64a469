import { emailText, type Identity, identityOfClaims, type OpenIdGrant, ProviderError } from '../sdk/index.ts';
import { TITLE } from './refusals.ts';

/** The form of tenant and object ids. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An account: its identity, and the name by which the mail server knows it. */
export interface MicrosoftAccount {
  identity: Identity;
  user: string;
}

function untrusted(claim: string): ProviderError {
  return new ProviderError('malformed', `${TITLE} sent an answer that cannot be trusted (${claim}).`);
}

/**
 * Reads the account from a validated ID token. Tenant and object id name it, since addresses change and pass to other people.
 * @param issuerOf returns the issuer of a tenant
 * @throws ProviderError `malformed` if the token names no tenant and object, or its issuer is not that of its tenant;
 * `forbidden` for an account without an address
 */
export function accountOfClaims(
  claims: OpenIdGrant['claims'],
  clientId: string,
  issuerOf: (tenant: string) => string,
): MicrosoftAccount {
  const identity = identityOfClaims(TITLE, claims, clientId);
  const { tid, oid } = claims;
  if (typeof tid !== 'string' || !ID.test(tid)) throw untrusted('tid');
  if (typeof oid !== 'string' || !ID.test(oid)) throw untrusted('oid');
  if (claims.iss !== issuerOf(tid)) throw untrusted('iss');
  // The name of the token's own user is what Exchange compares with; the address may be that of another mailbox.
  const user = emailText(claims.preferred_username) || emailText(claims.email);
  if (user === '')
    throw new ProviderError(
      'forbidden',
      'This Microsoft account has no address, so that it has no mailbox. Connect another one.',
    );
  return { identity: { ...identity, subject: `${tid}/${oid}`.toLowerCase(), account: user }, user };
}
