import { checkConnectValues } from '@datadeck/contract';
import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GithubTokenAuthorization, parseTokenExpiry } from './token-authorization.ts';

let sandbox: StartedSandbox;
let github: GithubTokenAuthorization;

beforeAll(async () => {
  sandbox = await startSandbox({ quotaScale: 0 });
});
afterAll(() => sandbox.close());
beforeEach(() => {
  sandbox.control.reset();
  const { githubUrl, githubApiUrl } = sandbox.urls();
  github = new GithubTokenAuthorization({ githubUrl, apiUrl: githubApiUrl });
});

const LOGIN = 'ada-nowak';
const PRIVATE = 'aurora-labs/vault';
const inSeconds = (seconds: number) => Math.round(Date.now() / 1000 + seconds);

describe('GithubTokenAuthorization', () => {
  it('connects the account of a fine-grained token and stores when it expires', async () => {
    const expiresAt = inSeconds(86_400);
    const token = sandbox.control.github.createToken(LOGIN, { expiresAt });
    const { identity, credentials } = await github.connect({ token });
    expect(identity).toMatchObject({ account: LOGIN, issuer: sandbox.urls().githubUrl });
    expect(credentials).toEqual({ accessToken: token, scopes: [], expiresAt: expiresAt * 1000 });
    expect(github.describe(credentials)).toBe('Repositories of a fine-grained token');
  });

  it.each([
    [true, ['repo'], 'Public and private repositories of a classic token'],
    [false, [], 'Public repositories of a classic token'],
  ] as const)(
    'reads the scopes of a classic token (repo: %s)',
    async (privateRepositories, scopes, access) => {
      const token = sandbox.control.github.createToken(LOGIN, { kind: 'classic', privateRepositories });
      const { credentials } = await github.connect({ token });
      expect(credentials).toEqual({ accessToken: token, scopes });
      expect(github.describe(credentials)).toBe(access);
    },
  );

  it.each(['deleted', 'expired', 'forged'])('refuses a token that is %s, at its field', async (name) => {
    const expiresAt = name === 'expired' ? inSeconds(-5) : 0;
    const token = sandbox.control.github.createToken(LOGIN, { expiresAt });
    if (name === 'deleted') sandbox.control.github.deleteToken(token);
    const shown = name === 'forged' ? token.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : token;
    await expect(github.connect({ token: shown })).rejects.toMatchObject({
      failure: 'reauthorise',
      field: 'token',
      message: expect.stringMatching(/^GitHub does not accept this token/),
    });
  });

  it.each([
    [{ pullRequests: false }, 'forbidden', /permission “Pull requests: read-only”/],
    [{ privateRepositories: false }, 'not-found', /select it in the settings of your token/],
    [{ kind: 'classic', privateRepositories: false }, 'not-found', /use a token that may read it/],
  ] as const)('names what %j lacks for the repository to check', async (grant, failure, message) => {
    const token = sandbox.control.github.createToken(LOGIN, grant);
    await expect(github.connect({ token, repository: PRIVATE })).rejects.toMatchObject({
      failure,
      field: 'repository',
      message: expect.stringMatching(message),
    });
    await expect(github.connect({ token, repository: 'aurora-labs/harbor' })).resolves.toHaveProperty(
      'identity',
    );
  });

  it('accepts a token that may read the repository to check', async () => {
    const token = sandbox.control.github.createToken(LOGIN);
    await expect(github.connect({ token, repository: PRIVATE })).resolves.toHaveProperty('credentials');
  });

  it('reports an outage of GitHub as unavailable', async () => {
    const token = sandbox.control.github.createToken(LOGIN);
    sandbox.control.fault({ name: 'http-503', match: { api: 'github' } });
    await expect(github.connect({ token })).rejects.toMatchObject({ failure: 'unavailable' });
  });

  it.each([
    'ghp_short',
    'x'.repeat(40),
    `github_pat_${'a'.repeat(300)}`,
    `ghp_${'a'.repeat(30)}\r\nx-header: 1`,
    `ghp_${'a'.repeat(36)} b`,
  ])('refuses %j before it is sent', (token) => {
    expect(checkConnectValues(github.form.fields, { token }).errors).toHaveProperty('token');
  });

  it.each([
    ['ghp_', 36],
    ['github_pat_', 82],
  ])('accepts the format %s with %i characters, and spaces around it', (prefix, length) => {
    const token = `${prefix}${'a'.repeat(length)}`;
    expect(checkConnectValues(github.form.fields, { token: ` ${token}\n` })).toMatchObject({
      values: { token },
      errors: {},
    });
  });
});

describe('parseTokenExpiry', () => {
  it.each([
    ['2026-12-01 08:00:00 UTC', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01 08:00:00 +0200', '2026-12-01T06:00:00.000Z'],
    ['2026-12-01 08:00:00 -0730', '2026-12-01T15:30:00.000Z'],
  ])('reads %s', (header, expected) => {
    expect(new Date(parseTokenExpiry(header) ?? 0).toISOString()).toBe(expected);
  });

  it.each([null, '', 'never', '2026-13-41 08:00:00 UTC', '2026-12-01'])('finds no time in %s', (header) => {
    expect(parseTokenExpiry(header)).toBeUndefined();
  });
});
