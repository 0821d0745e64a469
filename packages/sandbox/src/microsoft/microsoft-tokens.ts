import { type MicrosoftAccount, subjectOf } from './microsoft-account.ts';
import type { MicrosoftService } from './microsoft-service.ts';

/** The response of the token endpoint. */
export interface MicrosoftTokens {
  token_type: 'Bearer';
  scope: string;
  expires_in: number;
  ext_expires_in: number;
  access_token: string;
  refresh_token?: string;
  id_token?: string;
}

/** Scopes that the response does not list, because they are no permission of the resource. */
const UNLISTED = ['offline_access'];

/** Issues tokens for an account: with each response a new refresh token, as the platform does. */
export async function issueMicrosoftTokens(
  microsoft: MicrosoftService,
  account: MicrosoftAccount,
  { scopes, nonce }: { scopes: readonly string[]; nonce: string | undefined },
): Promise<MicrosoftTokens> {
  const { id } = microsoft.context.settings.clients.microsoft;
  const base = { client: id, subject: subjectOf(account), scope: scopes.join(' ') };
  const seconds = microsoft.accessTokenSeconds;
  const exp = Date.now() / 1000 + seconds;
  return {
    token_type: 'Bearer',
    scope: scopes.filter((scope) => !UNLISTED.includes(scope)).join(' '),
    expires_in: seconds,
    ext_expires_in: seconds,
    access_token: microsoft.tokens.issue('EwBA', { ...base, kind: 'access', exp }),
    ...(scopes.includes('offline_access') && {
      refresh_token: microsoft.tokens.issue('M.C5', { ...base, kind: 'refresh' }),
    }),
    ...(scopes.includes('openid') && { id_token: await idToken(microsoft, account, nonce) }),
  };
}

function idToken(
  microsoft: MicrosoftService,
  account: MicrosoftAccount,
  nonce: string | undefined,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const { id } = microsoft.context.settings.clients.microsoft;
  return microsoft.keys.sign({
    ver: '2.0',
    iss: microsoft.issuerOf(account.tenant),
    aud: id,
    // Another one for each app, unlike the object id.
    sub: `${id}-${account.object}`,
    tid: account.tenant,
    oid: account.object,
    preferred_username: account.address,
    email: account.address,
    name: account.name,
    ...(nonce === undefined ? {} : { nonce }),
    nbf: now,
    iat: now,
    exp: now + 3600,
  });
}
