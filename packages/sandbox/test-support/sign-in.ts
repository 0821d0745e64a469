import * as oidc from 'openid-client';
import type { Sandbox } from '../src/sandbox.ts';

/** The redirect address of the product under test; no server listens there. */
export const CALLBACK = 'http://127.0.0.1:39999/callback';

export const GMAIL_READONLY = 'https://www.googleapis.com/auth/gmail.readonly';

/** The addresses and clients of a sandbox. */
export type Endpoints = Pick<Sandbox, 'urls' | 'clients'>;

/** The user's choices on the pages. */
export interface Visit {
  /** E-mail address or login; default the first account. */
  account?: string;
  deny?: boolean;
  /** Scopes to untick. */
  untick?: readonly string[];
}

/** Submits the form of a page like a browser; follows no redirect. */
export async function submitForm(
  page: Response,
  button: Record<string, string>,
  untick: readonly string[] = [],
): Promise<Response> {
  const markup = await page.text();
  const action = /<form method="post" action="([^"]+)"/.exec(markup)?.[1] ?? '';
  const fields = new URLSearchParams();
  for (const [input] of markup.matchAll(/<input [^>]*>/g)) {
    const [, type = ''] = /type="([^"]+)"/.exec(input) ?? [];
    const [, name = ''] = /name="([^"]+)"/.exec(input) ?? [];
    const [, value = ''] = /value="([^"]*)"/.exec(input) ?? [];
    const isSent =
      type === 'hidden' ||
      (input.includes(' checked') && !untick.includes(value) && button[name] === undefined);
    if (isSent) fields.append(name, value);
  }
  for (const [name, value] of Object.entries(button)) fields.set(name, value);
  return fetch(new URL(action, page.url), { method: 'POST', body: fields, redirect: 'manual' });
}

/** Goes through Google's pages and returns the address of the final redirect. */
export async function visitGoogle(address: URL | string, visit: Visit = {}): Promise<URL> {
  const chooser = await fetch(address, { redirect: 'manual' });
  if (chooser.status >= 300) return new URL(chooser.headers.get('location') ?? CALLBACK);
  const markup = await chooser.clone().text();
  const accounts = [...markup.matchAll(/name="account" value="(\d+)"[^>]*>[\s\S]*?class="detail">([^<]+)</g)];
  const chosen = accounts.find(([, , email]) => email === visit.account) ?? accounts[0];
  const consent = await submitForm(chooser, { account: chosen?.[1] ?? '' });
  if (consent.status >= 300) return new URL(consent.headers.get('location') ?? CALLBACK);
  const back = await submitForm(consent, { decision: visit.deny ? 'deny' : 'allow' }, visit.untick);
  return new URL(back.headers.get('location') ?? CALLBACK);
}

/** Discovers the issuer with openid-client. */
export function discover(sandbox: Endpoints): Promise<oidc.Configuration> {
  const { id, secret } = sandbox.clients.google;
  const insecure = { execute: [oidc.allowInsecureRequests] };
  return oidc.discovery(new URL(sandbox.urls().googleIssuer), id, secret, undefined, insecure);
}

/** Returns the parameters of an authorisation request and the values needed to finish it. */
export async function prepare(config: oidc.Configuration, more: Record<string, string> = {}) {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: `openid email profile ${GMAIL_READONLY}`,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    access_type: 'offline',
    prompt: 'consent',
    ...more,
  });
  return { address, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } };
}

/** Signs in with Google through openid-client, from discovery to tokens. */
export async function signInWithGoogle(
  sandbox: Endpoints,
  visit: Visit = {},
  more: Record<string, string> = {},
) {
  const config = await discover(sandbox);
  const { address, checks } = await prepare(config, more);
  const tokens = await oidc.authorizationCodeGrant(config, await visitGoogle(address, visit), checks);
  return { config, tokens };
}

/** Authorises at GitHub and returns the response of the token endpoint. */
export async function authorizeGithub(
  sandbox: Endpoints,
  visit: Visit = {},
  scope = 'repo user:email',
): Promise<Record<string, string>> {
  const back = await visitGithub(sandbox, visit, scope);
  return exchangeGithub(sandbox, { code: back.searchParams.get('code') ?? '' });
}

/** Goes through GitHub's page and returns the address of the final redirect. */
export async function visitGithub(sandbox: Endpoints, visit: Visit, scope: string): Promise<URL> {
  const { githubUrl } = sandbox.urls();
  const query = new URLSearchParams({
    client_id: sandbox.clients.github.id,
    redirect_uri: CALLBACK,
    scope,
    state: 'the-state',
  });
  const page = await fetch(`${githubUrl}/login/oauth/authorize?${query}`);
  const markup = await page.clone().text();
  const accounts = [...markup.matchAll(/name="account" value="(\d+)"[\s\S]*?class="detail">([^<]+)</g)];
  const chosen = accounts.find(([, , login]) => login === visit.account) ?? accounts[0];
  const back = await submitForm(page, {
    account: chosen?.[1] ?? '',
    decision: visit.deny ? 'deny' : 'allow',
  });
  return new URL(back.headers.get('location') ?? CALLBACK);
}

/** Sends a request to GitHub's token endpoint. */
export async function exchangeGithub(
  sandbox: Endpoints,
  fields: Record<string, string>,
): Promise<Record<string, string>> {
  const { id, secret } = sandbox.clients.github;
  const response = await fetch(`${sandbox.urls().githubUrl}/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ client_id: id, client_secret: secret, ...fields }),
  });
  return response.json() as Promise<Record<string, string>>;
}

/** Sends a request to an API with a token. */
export function ask(address: string, token: string, init: RequestInit = {}): Promise<Response> {
  return fetch(address, {
    redirect: 'manual',
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });
}
