import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type JWK } from 'oidc-provider';
import type { Navigator } from './navigator.ts';

const CLIENT = { clientId: 'datadeck', clientSecret: 'a-secret-of-the-test' };

/** An account of the issuer. */
interface Person {
  email: string;
  email_verified?: boolean;
  name: string;
}

/** A certified OpenID provider on loopback. Everybody signs in with their subject as the user name. */
export interface OpenIdProvider {
  issuer: string;
  /** Accounts by subject. */
  people: Record<string, Person>;
  /** Its entry of OIDC_PROVIDERS. */
  setting(key: string, title: string): object;
  /** Replaces the signing key. */
  rotateKeys(): void;
  /** Answers every request in another way, or as usual again. */
  replace(answer: RequestListener | undefined): void;
  close(): Promise<void>;
}

function newKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: crypto.randomUUID(), use: 'sig' } as JWK;
}

/** Starts an issuer. @param callback the redirect URI of its client */
export async function startOpenIdProvider(callback: string): Promise<OpenIdProvider> {
  let answer: RequestListener = () => undefined;
  let replacement: RequestListener | undefined;
  const server = createServer((request, response) => (replacement ?? answer)(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people: Record<string, Person> = {};
  const rotateKeys = () => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [callback],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      claims: { email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_context, accountId) => ({
        accountId,
        claims: () => ({ sub: accountId, ...people[accountId] }),
      }),
      cookies: { keys: ['test'] },
      jwks: { keys: [newKey()] },
    });
    answer = provider.callback();
  };
  rotateKeys();
  return {
    issuer,
    people,
    setting: (key, title) => ({ key, title, issuer, ...CLIENT }),
    rotateKeys,
    replace: (other) => {
      replacement = other;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Completes the issuer's pages as the account with this subject. @returns the page that the browser ends on */
export async function signInAtIssuer(navigator: Navigator, address: string | URL, subject: string) {
  let page = await navigator.visit(address);
  for (let step = 0; step < 3 && page.html.includes('<form'); step++)
    page = await navigator.submit(
      page,
      /submit/,
      page.html.includes('name="login"') ? { login: subject, password: 'x' } : {},
    );
  return page;
}
