import { generateKeyPairSync, sign } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { GMAIL_SCOPE } from '../src/google/authorization.ts';
import { type SmallServer, startSmallServer } from '../src/sdk/conformance/small-server.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEY_ID = 'test-key';
export const CLIENT = { id: 'test-client', secret: 'test-secret' };

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(claims: object): string {
  const head = `${encode({ alg: 'RS256', kid: KEY_ID })}.${encode(claims)}`;
  return `${head}.${sign('sha256', Buffer.from(head), privateKey).toString('base64url')}`;
}

/** An OpenID Connect issuer on loopback whose next ID token is set by the test. */
export interface OpenIdIssuer extends SmallServer {
  /** Claims that replace the valid ones (undefined removes a claim), or the whole ID token as a text. */
  idToken: Record<string, unknown> | string;
}

function idTokenOf(issuer: OpenIdIssuer): string {
  if (typeof issuer.idToken === 'string') return issuer.idToken;
  const now = Math.floor(Date.now() / 1000);
  const sound = { iss: issuer.url, aud: CLIENT.id, sub: 'subject-1', iat: now, exp: now + 3600 };
  return signed({ ...sound, email: 'ada@mail.example', name: 'Ada Nowak', ...issuer.idToken });
}

/** What differs at an issuer. */
interface IssuerOptions {
  /** Path below which the discovery document is. */
  path?: string;
  /** The issuer that the document names, below the server's address. Default: `path`. */
  names?: string;
  /** Scopes that are granted. */
  scope?: string;
}

/** Starts an issuer whose authorization endpoint redirects back immediately. */
export async function startOpenIdIssuer({
  path = '',
  names = path,
  scope = `openid ${GMAIL_SCOPE}`,
}: IssuerOptions = {}): Promise<OpenIdIssuer> {
  let nonce: string | null = null;
  const answer: RequestListener = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer.url);
    const send = (body: object) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    if (pathname === `${path}/.well-known/openid-configuration`)
      return send({
        issuer: issuer.url + names,
        authorization_endpoint: `${issuer.url}/authorize`,
        token_endpoint: `${issuer.url}/token`,
        jwks_uri: `${issuer.url}/jwks`,
      });
    if (pathname === '/jwks')
      return send({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256' }] });
    if (pathname === '/token') {
      const asked = issuer.idToken;
      if (typeof asked !== 'string') issuer.idToken = { nonce, ...asked };
      const body = { access_token: 'access', token_type: 'Bearer', scope };
      return send({ ...body, id_token: idTokenOf(issuer) });
    }
    nonce = searchParams.get('nonce');
    const back = new URL(searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('code', 'code-1');
    back.searchParams.set('state', searchParams.get('state') ?? '');
    response.writeHead(302, { location: back.href }).end();
  };
  const issuer: OpenIdIssuer = { ...(await startSmallServer(answer)), idToken: {} };
  return issuer;
}
