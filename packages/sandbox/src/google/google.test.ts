import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  CALLBACK,
  discover,
  GMAIL_READONLY,
  prepare,
  signInWithGoogle,
  visitGoogle,
} from '../../test-support/sign-in.ts';

let sandbox: StartedSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({});
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control.reset());

describe('Google sign-in with openid-client', () => {
  it('issues verified tokens after discovery, with PKCE and nonce', async () => {
    const { tokens, config } = await signInWithGoogle(sandbox, { account: 'jonas.weber@sandbox.example' });
    expect(tokens.claims()).toMatchObject({
      iss: sandbox.urls().googleIssuer,
      sub: '104200000000000000002',
      email: 'jonas.weber@sandbox.example',
      email_verified: true,
      name: 'Jonas Weber',
    });
    expect(tokens.scope?.split(' ')).toContain(GMAIL_READONLY);

    const user = await oidc.fetchUserInfo(config, tokens.access_token, '104200000000000000002');
    expect(user.email).toBe('jonas.weber@sandbox.example');
  });

  it('refreshes without a new refresh token and revokes the grant', async () => {
    const { tokens, config } = await signInWithGoogle(sandbox);
    const refreshToken = tokens.refresh_token ?? '';
    const fresh = await oidc.refreshTokenGrant(config, refreshToken);
    expect(fresh.access_token).not.toBe(tokens.access_token);
    expect(fresh.refresh_token).toBeUndefined();

    await oidc.tokenRevocation(config, refreshToken);
    await expect(oidc.refreshTokenGrant(config, refreshToken)).rejects.toMatchObject({
      error: 'invalid_grant',
      status: 400,
    });
    await expect(oidc.fetchUserInfo(config, fresh.access_token, oidc.skipSubjectCheck)).rejects.toThrow();
  });

  it('rotates the refresh token when rotation is enabled', async () => {
    sandbox.control.google.setRefreshTokenRotation(true);
    const { tokens, config } = await signInWithGoogle(sandbox);
    const fresh = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(fresh.refresh_token).toBeTypeOf('string');
    await expect(oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(oidc.refreshTokenGrant(config, fresh.refresh_token ?? '')).resolves.toBeDefined();
  });

  it('issues a refresh token only for offline access with prompt=consent', async () => {
    const online = await signInWithGoogle(sandbox, {}, { access_type: 'online' });
    expect(online.tokens.refresh_token).toBeUndefined();
    const unprompted = await signInWithGoogle(sandbox, {}, { prompt: 'select_account' });
    expect(unprompted.tokens.refresh_token).toBeUndefined();
  });

  it('accepts denied consent and unticked scopes', async () => {
    const config = await discover(sandbox);
    const { address, checks } = await prepare(config);
    const denied = await visitGoogle(address, { deny: true });
    expect(denied.searchParams.get('error')).toBe('access_denied');
    await expect(oidc.authorizationCodeGrant(config, denied, checks)).rejects.toMatchObject({
      error: 'access_denied',
    });
    const { tokens } = await signInWithGoogle(sandbox, { untick: [GMAIL_READONLY] });
    expect(tokens.scope).toContain('openid');
    expect(tokens.scope).not.toContain(GMAIL_READONLY);
  });

  it('refuses a used code, a wrong verifier and wrong credentials', async () => {
    const config = await discover(sandbox);
    const first = await prepare(config);
    const back = await visitGoogle(first.address);
    await oidc.authorizationCodeGrant(config, back, first.checks);
    await expect(oidc.authorizationCodeGrant(config, back, first.checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });

    const second = await prepare(config);
    const wrong = { ...second.checks, pkceCodeVerifier: oidc.randomPKCECodeVerifier() };
    await expect(
      oidc.authorizationCodeGrant(config, await visitGoogle(second.address), wrong),
    ).rejects.toMatchObject({ error: 'invalid_grant' });

    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'datadeck-sandbox',
      client_secret: 'nope',
    });
    const response = await fetch(`${sandbox.urls().googleIssuer}/token`, { method: 'POST', body });
    expect([response.status, await response.json()]).toMatchObject([401, { error: 'invalid_client' }]);
  });

  it('keeps tokens valid over a restart and earlier keys over a rotation', async () => {
    const { tokens, config } = await signInWithGoogle(sandbox);
    await sandbox.control.google.rotateKeys();
    const { keys } = (await (await fetch(`${sandbox.urls().googleIssuer}/oauth2/v3/certs`)).json()) as {
      keys: unknown[];
    };
    expect(keys).toHaveLength(2);

    const other = await startSandbox({});
    const elsewhere = await discover(other);
    await expect(oidc.refreshTokenGrant(elsewhere, tokens.refresh_token ?? '')).resolves.toBeDefined();
    await other.close();
    expect(config.serverMetadata().issuer).toBe(sandbox.urls().googleIssuer);
  });

  it('keeps the subject when the e-mail address changes', async () => {
    sandbox.control.google.changeEmail('mei.tanaka@sandbox.example', 'mei@new.example');
    const { tokens } = await signInWithGoogle(sandbox, { account: 'mei@new.example' });
    expect(tokens.claims()).toMatchObject({ sub: '104200000000000000003', email: 'mei@new.example' });
    sandbox.control.google.changeEmail('mei@new.example', 'mei.tanaka@sandbox.example');
  });
});

describe('Google consent page', () => {
  const authorize = (more: Record<string, string>) => {
    const query = {
      client_id: 'datadeck-sandbox',
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid',
      ...more,
    };
    return fetch(`${sandbox.urls().googleIssuer}/o/oauth2/v2/auth?${new URLSearchParams(query)}`, {
      redirect: 'manual',
    });
  };

  it('names itself a sandbox and allows only its style sheet and forms', async () => {
    const page = await authorize({});
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self' http://127.0.0.1:39999; base-uri 'none'; frame-ancestors 'none'",
    );
    const markup = await page.text();
    expect(markup).toContain('Sandbox – not the real Google');
    expect(markup).not.toMatch(/<script|style=|onclick/);
    const sheet = await fetch(new URL(/href="([^"]+\.css)"/.exec(markup)?.[1] ?? '', sandbox.url));
    expect(sheet.headers.get('content-type')).toContain('text/css');
  });

  it('refuses unknown clients, redirect addresses and scopes without a redirect', async () => {
    const wrong = [
      { client_id: 'other' },
      { redirect_uri: 'https://evil.example/cb' },
      { redirect_uri: 'javascript:alert(1)' },
      { scope: 'everything' },
      { code_challenge: 'short' },
    ];
    for (const more of wrong) {
      const page = await authorize(more as Record<string, string>);
      expect(page.status).toBeGreaterThanOrEqual(400);
      expect(page.headers.get('location')).toBeNull();
    }
  });

  it('skips consent that was given before, except with prompt=consent', async () => {
    await signInWithGoogle(sandbox);
    const page = await authorize({ login_hint: 'ada.nowak@sandbox.example' });
    expect(page.status).toBe(303);
    expect(
      await (await authorize({ login_hint: 'ada.nowak@sandbox.example', prompt: 'consent' })).text(),
    ).toContain('Ada Nowak');
    expect((await authorize({ prompt: 'none' })).headers.get('location')).toContain('error=login_required');
  });

  it('offers all accounts with prompt=select_account, even after a consent, and the hinted one has the focus', async () => {
    await signInWithGoogle(sandbox);
    for (const prompt of ['select_account', 'select_account consent']) {
      const page = await authorize({ login_hint: 'jonas.weber@sandbox.example', prompt });
      expect(page.status).toBe(200);
      const choices = (await page.text()).match(/<button class="account"[^>]*>/g);
      expect(choices?.map((choice) => choice.includes(' autofocus'))).toEqual([false, true, false]);
    }
  });
});
