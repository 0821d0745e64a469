import * as oidc from 'openid-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ask,
  authorizeGithub,
  discover,
  exchangeGithub,
  GMAIL_READONLY,
  prepare,
  signInWithGoogle,
  visitGithub,
  visitGoogle,
} from '../../../sandbox/test-support/sign-in.ts';
import { type StartedSandbox, startSandbox } from '../start-sandbox.ts';

let sandbox: StartedSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({});
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control.reset());
afterEach(() => void vi.useRealTimers());

describe('authorisation fault', () => {
  it.each([
    ['id-token-wrong-nonce', 'nonce'],
    ['id-token-wrong-audience', 'aud'],
    ['id-token-wrong-issuer', 'iss'],
    ['id-token-expired', 'exp'],
  ] as const)('sends an ID token that openid-client refuses: %s', async (name, claim) => {
    sandbox.control.fault({ name });
    await expect(signInWithGoogle(sandbox)).rejects.toMatchObject({ cause: { cause: { claim } } });
  });

  it('sends a signature that a checking client refuses', async () => {
    const config = await discover(sandbox);
    oidc.enableNonRepudiationChecks(config);
    const good = await prepare(config);
    await expect(
      oidc.authorizationCodeGrant(config, await visitGoogle(good.address), good.checks),
    ).resolves.toBeDefined();

    sandbox.control.fault({ name: 'id-token-wrong-signature' });
    const bad = await prepare(config);
    await expect(
      oidc.authorizationCodeGrant(config, await visitGoogle(bad.address), bad.checks),
    ).rejects.toMatchObject({ cause: { message: 'JWT signature verification failed' } });
  });

  it('rotates the signing key and publishes the new one', async () => {
    const keyIds = async () => {
      const { keys } = (await (await fetch(`${sandbox.urls().googleIssuer}/oauth2/v3/certs`)).json()) as {
        keys: { kid: string }[];
      };
      return keys.map(({ kid }) => kid);
    };
    const [before] = await keyIds();
    sandbox.control.fault({ name: 'key-rotated' });
    const { tokens } = await signInWithGoogle(sandbox);
    const header = JSON.parse(Buffer.from(tokens.id_token?.split('.')[0] ?? '', 'base64url').toString()) as {
      kid: string;
    };

    expect(header.kid).not.toBe(before);
    expect((await keyIds())[0]).toBe(header.kid);
  });

  it('returns another state or denied consent', async () => {
    const config = await discover(sandbox);
    for (const [name, key] of [
      ['wrong-state', 'state'],
      ['consent-denied', 'error'],
    ] as const) {
      sandbox.control.fault({ name, match: { api: 'google', path: /consent/ } });
      const { address } = await prepare(config);
      const back = await visitGoogle(address);
      expect(back.searchParams.get(key)).toBe({ state: 'another-state', error: 'access_denied' }[key]);
      sandbox.control.fault({ name, match: { api: 'github-oauth', method: 'POST' } });
      const github = await visitGithub(sandbox, {}, 'repo');
      expect(github.searchParams.get(key)).toBe({ state: 'another-state', error: 'access_denied' }[key]);
    }
  });

  it('grants fewer scopes or no refresh token', async () => {
    sandbox.control.fault({ name: 'partial-scope', match: { api: 'google' } });
    expect((await signInWithGoogle(sandbox)).tokens.scope).not.toContain(GMAIL_READONLY);
    sandbox.control.fault({ name: 'partial-scope', match: { api: 'github-oauth' } });
    expect((await authorizeGithub(sandbox)).scope).toBe('repo');
    sandbox.control.fault({ name: 'no-refresh-token' });
    expect((await signInWithGoogle(sandbox)).tokens.refresh_token).toBeUndefined();
  });

  it('refuses a code or a refresh token', async () => {
    sandbox.control.fault({ name: 'code-reused', match: { api: 'google' } });
    await expect(signInWithGoogle(sandbox)).rejects.toMatchObject({ error: 'invalid_grant' });
    sandbox.control.fault({ name: 'code-reused', match: { api: 'github-oauth' } });
    expect(await authorizeGithub(sandbox)).toMatchObject({ error: 'bad_verification_code' });
    const { config, tokens } = await signInWithGoogle(sandbox);
    sandbox.control.fault({ name: 'invalid-grant', match: { api: 'google' } });
    await expect(oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('rotates a refresh token and loses the rotated one', async () => {
    const { config, tokens } = await signInWithGoogle(sandbox);
    sandbox.control.fault({ name: 'refresh-token-rotates' });
    const { refresh_token: second = '' } = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
    sandbox.control.fault({ name: 'rotated-refresh-token-lost', match: { api: 'google' } });
    await expect(oidc.refreshTokenGrant(config, second)).rejects.toThrow('fetch failed');
    await expect(oidc.refreshTokenGrant(config, second)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('shortens the lifetime of tokens and expires one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    sandbox.control.fault({
      name: 'short-token-lifetime',
      match: { api: 'google' },
      options: { seconds: 2 },
    });
    const { tokens } = await signInWithGoogle(sandbox);
    const profile = `${sandbox.urls().gmailApiUrl}/gmail/v1/users/me/profile`;
    expect((await ask(profile, tokens.access_token)).status).toBe(200);

    vi.setSystemTime(Date.now() + 2000);
    expect((await ask(profile, tokens.access_token)).status).toBe(401);
    sandbox.control.fault({
      name: 'short-token-lifetime',
      match: { api: 'github-oauth' },
      options: { seconds: 60 },
    });
    const github = await authorizeGithub(sandbox);
    expect(github).toMatchObject({ expires_in: 60 });
    expect(
      await exchangeGithub(sandbox, {
        grant_type: 'refresh_token',
        refresh_token: github.refresh_token ?? '',
      }),
    ).toHaveProperty('access_token');

    sandbox.control.fault({ name: 'token-expired', match: { api: 'github' } });
    const user = `${sandbox.urls().githubApiUrl}/user`;
    expect([
      (await ask(user, github.access_token ?? '')).status,
      (await ask(user, github.access_token ?? '')).status,
    ]).toEqual([401, 200]);
  });

  it('fails to revoke a grant', async () => {
    const { config, tokens } = await signInWithGoogle(sandbox);
    sandbox.control.fault({ name: 'revoke-fails', match: { api: 'google' } });
    await expect(oidc.tokenRevocation(config, tokens.refresh_token ?? '')).rejects.toThrow();
    await expect(oidc.tokenRevocation(config, tokens.refresh_token ?? '')).resolves.toBeUndefined();

    const { access_token = '' } = await authorizeGithub(sandbox);
    const { id, secret } = sandbox.clients.github;
    sandbox.control.fault({ name: 'revoke-fails', match: { api: 'github' } });
    const ended = await fetch(`${sandbox.urls().githubApiUrl}/applications/${id}/grant`, {
      method: 'DELETE',
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: JSON.stringify({ access_token }),
    });
    expect(ended.status).toBe(503);
  });
});

describe('control.github.revoke', () => {
  it('revokes every token of the account for the client', async () => {
    const [first, second] = [await authorizeGithub(sandbox), await authorizeGithub(sandbox)];
    expect(sandbox.control.github.revoke(first.access_token ?? '')).toBe(true);
    const user = `${sandbox.urls().githubApiUrl}/user`;
    expect((await ask(user, second.access_token ?? '')).status).toBe(401);
    const { access_token = '' } = await authorizeGithub(sandbox);
    expect((await ask(user, access_token)).status).toBe(200);
  });
});
