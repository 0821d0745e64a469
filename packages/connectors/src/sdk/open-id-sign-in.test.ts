import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { authorize, newRequest } from '../../test-support/consent.ts';
import { CLIENT, type OpenIdIssuer, startOpenIdIssuer } from '../../test-support/open-id-issuer.ts';
import type { Authorization } from './authorization.ts';
import { type SmallServer, startSmallServer } from './conformance/small-server.ts';
import { OpenIdSignIn } from './open-id-sign-in.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

function signInAt(issuer: string): OpenIdSignIn {
  return new OpenIdSignIn({ title: 'Keycloak', issuer, client: CLIENT, scopes: 'openid email profile' });
}

async function serve(answer: RequestListener): Promise<SmallServer> {
  const server = await startSmallServer(answer);
  opened.push(server);
  return server;
}

describe('OpenIdSignIn', () => {
  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'another-client' }],
    ['another nonce', { nonce: 'x' }],
    ['a passed expiry', { exp: 1 }],
  ])('refuses an ID token with %s', async (_, claims) => {
    const issuer: OpenIdIssuer = await startOpenIdIssuer();
    opened.push(issuer);
    issuer.idToken = claims;
    const signIn = signInAt(issuer.url) as Pick<Authorization, 'start' | 'finish'> as Authorization;
    await expect(authorize(signIn, {}, newRequest('sign-in'))).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringContaining('Keycloak sent an answer that cannot be trusted'),
    });
  });

  it('refuses a discovery document beyond 1 MB', async () => {
    let sent = 0;
    const server = await serve((_request, response) => {
      response.setHeader('content-type', 'application/json');
      const piece = ' '.repeat(64 * 1024);
      const write = () => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on('drain', write);
      write();
    });
    await expect(signInAt(server.url).start(newRequest('sign-in'))).rejects.toMatchObject({
      message: 'Keycloak sent an answer that is too large.',
    });
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it('refuses a discovery document of another issuer', async () => {
    const server = await serve((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ issuer: 'https://evil.example', authorization_endpoint: 'https://evil.example/a' }),
      );
    });
    await expect(signInAt(server.url).start(newRequest('sign-in'))).rejects.toMatchObject({
      failure: 'malformed',
    });
  });

  it('says why the issuer does not answer, until it does', async () => {
    let isDown = true;
    const server: SmallServer = await serve((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.statusCode = isDown ? 503 : 200;
      const authorization_endpoint = `${server.url}/authorize`;
      response.end(JSON.stringify(isDown ? {} : { issuer: server.url, authorization_endpoint }));
    });
    const signIn = signInAt(server.url);
    const problem = 'Keycloak is failing (status 503). Try again later.';
    await expect(signIn.start(newRequest('sign-in'))).rejects.toMatchObject({ message: problem });
    expect(signIn.problem).toBe(problem);
    isDown = false;
    await signIn.start(newRequest('sign-in'));
    expect(signIn.problem).toBeUndefined();
  });
});
