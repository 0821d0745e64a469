import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authorize, newRequest, visitConsent } from '../../test-support/consent.ts';
import { GithubAuthorization } from './authorization.ts';

let sandbox: StartedSandbox;
let github: GithubAuthorization;

function authorization(client = sandbox.clients.github): GithubAuthorization {
  const { githubUrl, githubApiUrl } = sandbox.urls();
  return new GithubAuthorization({ githubUrl, apiUrl: githubApiUrl }, client);
}

beforeAll(async () => {
  sandbox = await startSandbox({ quotaScale: 0 });
});
afterAll(() => sandbox.close());
beforeEach(() => {
  sandbox.control.reset();
  sandbox.control.github.setExpiringTokens(false);
  github = authorization();
});

const ADA = { account: 'ada-nowak' };

describe('GithubAuthorization', () => {
  it('connects an account with a token that does not expire', async () => {
    const { identity, credentials } = await authorize(github, ADA);
    expect(identity).toMatchObject({ account: 'ada-nowak', issuer: sandbox.urls().githubUrl });
    expect(credentials.scopes).toEqual([]);
    expect(github.describe(credentials)).toBe('Public repositories (no scope)');
    expect(credentials).not.toHaveProperty('expiresAt');
  });

  // @covers authorisation.github-names-itself
  it('accepts a callback of its own issuer and refuses one of another', async () => {
    const request = newRequest();
    const callback = await visitConsent(await github.start(request), ADA);
    expect(callback.searchParams.get('iss')).toBe(`${sandbox.urls().githubUrl}/login/oauth`);
    const other = new URL(callback);
    other.searchParams.set('iss', 'https://github.example');
    await expect(github.finish(other, request)).rejects.toMatchObject({ failure: 'malformed' });
    await expect(github.finish(callback, request)).resolves.toMatchObject({
      identity: { account: 'ada-nowak' },
    });
  });

  // @covers authorisation.github-names-itself
  it('accepts a callback without an issuer, as older GitHub Enterprise sends it', async () => {
    const request = newRequest();
    const callback = await visitConsent(await github.start(request), ADA);
    callback.searchParams.delete('iss');
    await expect(github.finish(callback, request)).resolves.toHaveProperty('credentials');
  });

  // @covers authorisation.refresh-token-rotates
  it('rotates the expiring tokens of a GitHub App', async () => {
    sandbox.control.github.setExpiringTokens(true);
    const { credentials } = await authorize(github, ADA);
    expect(credentials.expiresAt).toBeGreaterThan(Date.now());
    const renewed = await github.refresh(credentials);
    expect(renewed.refreshToken).not.toBe(credentials.refreshToken);
    expect(renewed.accessToken).not.toBe(credentials.accessToken);
    await expect(github.refresh(credentials)).rejects.toMatchObject({ failure: 'reauthorise' });
  });

  it('asks for private repositories only when the user chose them', async () => {
    const { credentials } = await authorize(github, ADA, { ...newRequest(), access: 'private' });
    expect(credentials.scopes).toEqual(['repo']);
    expect(github.describe(credentials)).toBe('Public and private repositories (scopes: repo)');
  });

  it.each([
    [{}, null, null],
    [{ selectsAccount: true }, 'select_account', null],
    [{ loginHint: 'jonas-weber' }, null, 'jonas-weber'],
    [{ selectsAccount: true, loginHint: 'jonas-weber' }, 'select_account', 'jonas-weber'],
  ])('asks for the choice of an account and suggests one: %o', async (choice, prompt, login) => {
    const { searchParams } = await github.start({ ...newRequest(), ...choice });
    expect(searchParams.get('prompt')).toBe(prompt);
    expect(searchParams.get('login')).toBe(login);
  });

  // @covers authorisation.missing-scope-github
  it('connects for public repositories when the scope of private ones is not granted', async () => {
    sandbox.control.fault({ name: 'partial-scope', match: { api: 'github-oauth' } });
    const { credentials } = await authorize(github, ADA, { ...newRequest(), access: 'private' });
    expect(credentials.scopes).toEqual([]);
    expect(github.describe(credentials)).toMatch(/^Public repositories/);
  });

  describe('failed connect', () => {
    it('reports denied consent as forbidden', async () => {
      await expect(authorize(github, { ...ADA, deny: true })).rejects.toMatchObject({ failure: 'forbidden' });
    });

    it('refuses a callback with another state', async () => {
      sandbox.control.fault({ name: 'wrong-state', match: { api: 'github-oauth' } });
      await expect(authorize(github, ADA)).rejects.toMatchObject({ failure: 'malformed' });
    });

    it('refuses the verifier of another browser, an error in a 200 response', async () => {
      const request = newRequest();
      const callback = await visitConsent(await github.start(request), ADA);
      const other = { ...request, verifier: newRequest().verifier };
      await expect(github.finish(callback, other)).rejects.toMatchObject({ failure: 'reauthorise' });
    });

    it('refuses a code that was used before', async () => {
      sandbox.control.fault({ name: 'code-reused', match: { api: 'github-oauth' } });
      await expect(authorize(github, ADA)).rejects.toMatchObject({ failure: 'reauthorise' });
    });

    it('reports a wrong client secret as invalid', async () => {
      const wrong = authorization({ id: sandbox.clients.github.id, secret: 'wrong' });
      await expect(authorize(wrong, ADA)).rejects.toMatchObject({ failure: 'invalid' });
    });
  });

  describe('refresh', () => {
    it('asks to connect again without a refresh token', async () => {
      const { credentials } = await authorize(github, ADA);
      await expect(github.refresh(credentials)).rejects.toMatchObject({ failure: 'reauthorise' });
    });

    it.each([
      ['invalid-grant', 'reauthorise'],
      ['http-500', 'unavailable'],
      ['html-error-body', 'unavailable'],
      ['connection-reset', 'unavailable'],
      ['truncated-json', 'unavailable'],
    ] as const)('reports %s as %s', async (name, failure) => {
      sandbox.control.github.setExpiringTokens(true);
      const { credentials } = await authorize(github, ADA);
      sandbox.control.fault({ name, match: { api: 'github-oauth', path: /access_token/ } });
      await expect(github.refresh(credentials)).rejects.toMatchObject({ failure });
    });

    it('asks to connect again after a rotated token was lost in transit', async () => {
      sandbox.control.github.setExpiringTokens(true);
      const { credentials } = await authorize(github, ADA);
      sandbox.control.fault({ name: 'rotated-refresh-token-lost', match: { api: 'github-oauth' } });
      await expect(github.refresh(credentials)).rejects.toMatchObject({ failure: 'unavailable' });
      await expect(github.refresh(credentials)).rejects.toMatchObject({ failure: 'reauthorise' });
    });
  });

  describe('revoke', () => {
    it('reports a failed attempt, revokes the grant, and accepts a repetition', async () => {
      const { credentials } = await authorize(github, ADA);
      sandbox.control.fault({ name: 'revoke-fails', match: { api: 'github' } });
      await expect(github.revoke(credentials)).rejects.toMatchObject({ failure: 'unavailable' });
      await github.revoke(credentials);
      await github.revoke(credentials);
      const answer = await fetch(`${sandbox.urls().githubApiUrl}/user`, {
        headers: { authorization: `Bearer ${credentials.accessToken}`, 'user-agent': 'test' },
      });
      expect(answer.status).toBe(401);
    });

    // @covers authorisation.access-token-lapsed
    it('revokes the grant after the access token expired', async () => {
      sandbox.control.github.setExpiringTokens(true);
      const { credentials } = await authorize(github, ADA);
      sandbox.control.github.expireAccessTokens();
      await github.revoke(credentials);
      await expect(github.refresh(credentials)).rejects.toMatchObject({ failure: 'reauthorise' });
      expect(sandbox.control.counters().requests['github DELETE /applications/:clientId/grant']).toBe(2);
      await github.revoke(credentials);
    });
  });

  it('reports an outage of GitHub as unavailable', async () => {
    const request = newRequest();
    const callback = await visitConsent(await github.start(request), ADA);
    sandbox.control.fault({ name: 'http-503', match: { api: 'github' } });
    await expect(github.finish(callback, request)).rejects.toMatchObject({ failure: 'unavailable' });
  });
});
