import { type FaultName, type StartedSandbox, startSandbox } from '@datadeck/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authorize, newRequest, visitConsent } from '../../test-support/consent.ts';
import { GMAIL_SCOPE, GoogleAuthorization } from './authorization.ts';

let sandbox: StartedSandbox;
let google: GoogleAuthorization;

beforeAll(async () => {
  sandbox = await startSandbox({ quotaScale: 0 });
});
afterAll(() => sandbox.close());
beforeEach(() => {
  sandbox.control.reset();
  google = new GoogleAuthorization(sandbox.urls().googleIssuer, sandbox.clients.google);
});

const ADA = { account: 'ada.nowak@sandbox.example' };

test('a connect brings identity, Gmail’s scope and a refresh token', async () => {
  const { identity, credentials } = await authorize(google, ADA);
  expect(identity).toMatchObject({ email: ADA.account, issuer: sandbox.urls().googleIssuer });
  expect(credentials.scopes).toContain(GMAIL_SCOPE);
  expect(credentials.refreshToken).toBeTypeOf('string');
  expect(credentials.expiresAt).toBeGreaterThan(Date.now());
});

test('a sign-in asks for no more than who it is', async () => {
  const { credentials } = await authorize(google, ADA, newRequest('sign-in'));
  expect(credentials.scopes).not.toContain(GMAIL_SCOPE);
});

test('an account keeps its subject when its address changes', async () => {
  const before = await authorize(google, ADA);
  sandbox.control.google.changeEmail(ADA.account, 'ada@elsewhere.example');
  const after = await authorize(google, { account: 'ada@elsewhere.example' });
  sandbox.control.google.changeEmail('ada@elsewhere.example', ADA.account);
  expect(after.identity.subject).toBe(before.identity.subject);
  expect(after.identity.email).not.toBe(before.identity.email);
});

describe('refused', () => {
  test('denied consent', async () => {
    await expect(authorize(google, { ...ADA, deny: true })).rejects.toMatchObject({ failure: 'forbidden' });
  });

  test.each([{ untick: true }, { fault: 'partial-scope' as const }])('Gmail not allowed %o', async (how) => {
    if ('fault' in how) sandbox.control.fault({ name: how.fault as FaultName });
    await expect(authorize(google, { ...ADA, ...how })).rejects.toMatchObject({ failure: 'forbidden' });
  });

  test('another state', async () => {
    sandbox.control.fault({ name: 'wrong-state', match: { api: 'google' } });
    await expect(authorize(google, ADA)).rejects.toMatchObject({ failure: 'malformed' });
  });

  test('another browser’s verifier', async () => {
    const request = newRequest();
    const callback = await visitConsent(await google.start(request), ADA);
    const other = { ...request, verifier: newRequest().verifier };
    await expect(google.finish(callback, other)).rejects.toMatchObject({ failure: 'reauthorise' });
  });

  test.each([
    'id-token-wrong-nonce',
    'id-token-wrong-audience',
    'id-token-wrong-issuer',
    'id-token-expired',
    'id-token-wrong-signature',
  ] as const)('%s', async (name) => {
    sandbox.control.fault({ name });
    await expect(authorize(google, ADA)).rejects.toMatchObject({ failure: 'malformed' });
  });

  test('a code used twice', async () => {
    sandbox.control.fault({ name: 'code-reused', match: { api: 'google' } });
    await expect(authorize(google, ADA)).rejects.toMatchObject({ failure: 'reauthorise' });
  });

  test('a wrong client secret is no matter of the user', async () => {
    const { id } = sandbox.clients.google;
    const wrong = new GoogleAuthorization(sandbox.urls().googleIssuer, { id, secret: 'wrong' });
    await expect(authorize(wrong, ADA)).rejects.toMatchObject({ failure: 'invalid' });
  });
});

test('a key rotated just before the id token is signed is found', async () => {
  await authorize(google, ADA);
  sandbox.control.fault({ name: 'key-rotated' });
  expect((await authorize(google, ADA)).identity.email).toBe(ADA.account);
});

describe('refresh', () => {
  test('brings a new access token and keeps the refresh token where none comes back', async () => {
    const { credentials } = await authorize(google, ADA);
    const renewed = await google.refresh(credentials);
    expect(renewed.accessToken).not.toBe(credentials.accessToken);
    expect(renewed.refreshToken).toBe(credentials.refreshToken);
    expect(renewed.scopes).toContain(GMAIL_SCOPE);
  });

  test('takes a rotated refresh token', async () => {
    sandbox.control.google.setRefreshTokenRotation(true);
    const { credentials } = await authorize(google, ADA);
    const renewed = await google.refresh(credentials);
    expect(renewed.refreshToken).not.toBe(credentials.refreshToken);
    await expect(google.refresh(credentials)).rejects.toMatchObject({ failure: 'reauthorise' });
    await google.refresh(renewed);
    sandbox.control.google.setRefreshTokenRotation(false);
  });

  test('without a refresh token asks to connect again', async () => {
    sandbox.control.fault({ name: 'no-refresh-token' });
    const { credentials } = await authorize(google, ADA);
    expect(credentials.refreshToken).toBeUndefined();
    await expect(google.refresh(credentials)).rejects.toMatchObject({ failure: 'reauthorise' });
  });

  test('of a grant that is gone asks to connect again', async () => {
    const { credentials } = await authorize(google, ADA);
    await google.revoke(credentials);
    await expect(google.refresh(credentials)).rejects.toMatchObject({ failure: 'reauthorise' });
    await google.revoke(credentials);
  });

  test.each([
    ['invalid-grant', 'reauthorise'],
    ['http-500', 'unavailable'],
    ['http-503', 'unavailable'],
    ['html-error-body', 'unavailable'],
    ['connection-reset', 'unavailable'],
    ['truncated-json', 'unavailable'],
  ] as const)('%s ends in %s', async (name, failure) => {
    const { credentials } = await authorize(google, ADA);
    sandbox.control.fault({ name, match: { api: 'google', path: /token/ } });
    await expect(google.refresh(credentials)).rejects.toMatchObject({ failure });
  });
});

test('a revoke that fails says so', async () => {
  const { credentials } = await authorize(google, ADA);
  sandbox.control.fault({ name: 'revoke-fails', match: { api: 'google' } });
  await expect(google.revoke(credentials)).rejects.toMatchObject({ failure: 'unavailable' });
});

test('Google down at the start is unavailable, and is asked again the next time', async () => {
  sandbox.control.fault({ name: 'connection-reset', match: { api: 'google' } });
  await expect(google.start(newRequest())).rejects.toMatchObject({ failure: 'unavailable' });
  expect((await authorize(google, ADA)).identity.email).toBe(ADA.account);
  const nowhere = new GoogleAuthorization('http://127.0.0.1:9', sandbox.clients.google);
  await expect(nowhere.start(newRequest())).rejects.toMatchObject({ failure: 'unavailable' });
});
