import { type FaultName, type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

describe('GoogleAuthorization', () => {
  it("connects with an identity, Gmail's scope and a refresh token", async () => {
    const { identity, credentials } = await authorize(google, ADA);
    expect(identity).toMatchObject({ email: ADA.account, issuer: sandbox.urls().googleIssuer });
    expect(credentials.scopes).toContain(GMAIL_SCOPE);
    expect(credentials.refreshToken).toBeTypeOf('string');
    expect(credentials.expiresAt).toBeGreaterThan(Date.now());
  });

  it('does not request the Gmail scope at sign-in', async () => {
    const { credentials } = await authorize(google, ADA, newRequest('sign-in'));
    expect(credentials.scopes).not.toContain(GMAIL_SCOPE);
  });

  it.each([
    [{}, 'consent', null],
    [{ selectsAccount: true }, 'select_account consent', null],
    [{ loginHint: ADA.account }, 'consent', ADA.account],
    [{ selectsAccount: true, loginHint: ADA.account }, 'select_account consent', ADA.account],
  ])('asks for the choice of an account and suggests one: %o', async (choice, prompt, hint) => {
    const { searchParams } = await google.start({ ...newRequest(), ...choice });
    expect(searchParams.get('prompt')).toBe(prompt);
    expect(searchParams.get('login_hint')).toBe(hint);
  });

  it('asks for the choice of an account at sign-in only on request', async () => {
    const prompts = [{}, { selectsAccount: true }].map(async (choice) =>
      (await google.start({ ...newRequest('sign-in'), ...choice })).searchParams.get('prompt'),
    );
    expect(await Promise.all(prompts)).toEqual([null, 'select_account']);
  });

  it('connects another account beside the first, and the suggested one without a choice', async () => {
    const jonas = { account: 'jonas.weber@sandbox.example' };
    await authorize(google, ADA);
    const other = await authorize(google, jonas, { ...newRequest(), selectsAccount: true });
    expect(other.identity.account).toBe(jonas.account);
    expect(other.credentials.refreshToken).toBeTypeOf('string');
    const again = await authorize(google, {}, { ...newRequest(), loginHint: jonas.account });
    expect(again.identity.account).toBe(jonas.account);
  });

  it('keeps the subject of an account whose address changes', async () => {
    const before = await authorize(google, ADA);
    sandbox.control.google.changeEmail(ADA.account, 'ada@elsewhere.example');
    const after = await authorize(google, { account: 'ada@elsewhere.example' });
    sandbox.control.google.changeEmail('ada@elsewhere.example', ADA.account);
    expect(after.identity.subject).toBe(before.identity.subject);
    expect(after.identity.email).not.toBe(before.identity.email);
  });

  describe('failed connect', () => {
    it('reports denied consent as forbidden', async () => {
      await expect(authorize(google, { ...ADA, deny: true })).rejects.toMatchObject({ failure: 'forbidden' });
    });

    it.each([{ untick: true }, { fault: 'partial-scope' as const }])(
      'reports a grant without Gmail access as forbidden: %o',
      async (how) => {
        if ('fault' in how) sandbox.control.fault({ name: how.fault as FaultName });
        await expect(authorize(google, { ...ADA, ...how })).rejects.toMatchObject({ failure: 'forbidden' });
      },
    );

    it('refuses a callback with another state', async () => {
      sandbox.control.fault({ name: 'wrong-state', match: { api: 'google' } });
      await expect(authorize(google, ADA)).rejects.toMatchObject({ failure: 'malformed' });
    });

    it('refuses the verifier of another browser', async () => {
      const request = newRequest();
      const callback = await visitConsent(await google.start(request), ADA);
      const other = { ...request, verifier: newRequest().verifier };
      await expect(google.finish(callback, other)).rejects.toMatchObject({ failure: 'reauthorise' });
    });

    it.each([
      'id-token-wrong-nonce',
      'id-token-wrong-audience',
      'id-token-wrong-issuer',
      'id-token-expired',
      'id-token-wrong-signature',
    ] as const)('refuses %s', async (name) => {
      sandbox.control.fault({ name });
      await expect(authorize(google, ADA)).rejects.toMatchObject({ failure: 'malformed' });
    });

    it('refuses a code that was used before', async () => {
      sandbox.control.fault({ name: 'code-reused', match: { api: 'google' } });
      await expect(authorize(google, ADA)).rejects.toMatchObject({ failure: 'reauthorise' });
    });

    it('reports a wrong client secret as invalid', async () => {
      const { id } = sandbox.clients.google;
      const wrong = new GoogleAuthorization(sandbox.urls().googleIssuer, { id, secret: 'wrong' });
      await expect(authorize(wrong, ADA)).rejects.toMatchObject({ failure: 'invalid' });
    });
  });

  it('fetches a key that was rotated just before the ID token was signed', async () => {
    await authorize(google, ADA);
    sandbox.control.fault({ name: 'key-rotated' });
    expect((await authorize(google, ADA)).identity.email).toBe(ADA.account);
  });

  describe('refresh', () => {
    it('returns a new access token and keeps the old refresh token', async () => {
      const { credentials } = await authorize(google, ADA);
      const renewed = await google.refresh(credentials);
      expect(renewed.accessToken).not.toBe(credentials.accessToken);
      expect(renewed.refreshToken).toBe(credentials.refreshToken);
      expect(renewed.scopes).toContain(GMAIL_SCOPE);
    });

    it('uses a rotated refresh token', async () => {
      sandbox.control.google.setRefreshTokenRotation(true);
      const { credentials } = await authorize(google, ADA);
      const renewed = await google.refresh(credentials);
      expect(renewed.refreshToken).not.toBe(credentials.refreshToken);
      await expect(google.refresh(credentials)).rejects.toMatchObject({ failure: 'reauthorise' });
      await google.refresh(renewed);
      sandbox.control.google.setRefreshTokenRotation(false);
    });

    it('asks to connect again without a refresh token', async () => {
      sandbox.control.fault({ name: 'no-refresh-token' });
      const { credentials } = await authorize(google, ADA);
      expect(credentials.refreshToken).toBeUndefined();
      await expect(google.refresh(credentials)).rejects.toMatchObject({ failure: 'reauthorise' });
    });

    it('asks to connect again after the grant was revoked', async () => {
      const { credentials } = await authorize(google, ADA);
      await google.revoke(credentials);
      await expect(google.refresh(credentials)).rejects.toMatchObject({ failure: 'reauthorise' });
      await google.revoke(credentials);
    });

    it.each([
      ['invalid-grant', 'reauthorise'],
      ['http-500', 'unavailable'],
      ['http-503', 'unavailable'],
      ['html-error-body', 'unavailable'],
      ['connection-reset', 'unavailable'],
      ['truncated-json', 'unavailable'],
    ] as const)('reports %s as %s', async (name, failure) => {
      const { credentials } = await authorize(google, ADA);
      sandbox.control.fault({ name, match: { api: 'google', path: /token/ } });
      await expect(google.refresh(credentials)).rejects.toMatchObject({ failure });
    });
  });

  it('reports a failed revoke as unavailable', async () => {
    const { credentials } = await authorize(google, ADA);
    sandbox.control.fault({ name: 'revoke-fails', match: { api: 'google' } });
    await expect(google.revoke(credentials)).rejects.toMatchObject({ failure: 'unavailable' });
  });

  it('reports an outage of Google as unavailable and retries at the next start', async () => {
    sandbox.control.fault({ name: 'connection-reset', match: { api: 'google' } });
    await expect(google.start(newRequest())).rejects.toMatchObject({ failure: 'unavailable' });
    expect((await authorize(google, ADA)).identity.email).toBe(ADA.account);
    const nowhere = new GoogleAuthorization('http://127.0.0.1:9', sandbox.clients.google);
    await expect(nowhere.start(newRequest())).rejects.toMatchObject({ failure: 'unavailable' });
  });
});
