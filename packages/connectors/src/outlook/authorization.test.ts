import { readFileSync } from 'node:fs';
import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authorize, newRequest, visitConsent } from '../../test-support/consent.ts';
import { IMAP_SCOPE, MicrosoftAuthorization } from './authorization.ts';
import { EXPLAINED } from './refusals.ts';

let sandbox: StartedSandbox;
let microsoft: MicrosoftAuthorization;

const atTenant = (tenant: string, secret = sandbox.clients.microsoft.secret) =>
  new MicrosoftAuthorization({
    url: sandbox.urls().microsoftUrl,
    tenant,
    client: { id: sandbox.clients.microsoft.id, secret },
  });

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => {
  sandbox.control.reset();
  microsoft = atTenant('common');
});

const ADA = { account: 'ada@aurora.example' };
const MEI = { account: 'mei@outlook.example' };

/** Sets how the next authorisations or token requests are refused. */
function refuse(at: 'authorize' | 'token', code: number, error = 'invalid_grant'): void {
  sandbox.control.microsoft.refuse(at, { error, code, text: 'Not shown, since it names secret-9.' });
}

describe('MicrosoftAuthorization', () => {
  it('connects with tenant and object, a refresh token and the permission to read mail by IMAP', async () => {
    const { identity, credentials } = await authorize(microsoft, ADA);
    expect(identity).toMatchObject({ account: ADA.account, subject: expect.stringMatching(/^5d2b.*\/a0a7/) });
    expect(credentials).toMatchObject({ fields: { user: ADA.account }, refreshToken: expect.any(String) });
    expect(credentials.scopes).toContain(IMAP_SCOPE);
    expect(credentials.expiresAt).toBeGreaterThan(Date.now());
  });

  it('asks for the scopes with PKCE, and for an account only when another one is added', async () => {
    const { searchParams } = await microsoft.start(newRequest());
    expect(searchParams.get('scope')).toBe(`openid email profile offline_access ${IMAP_SCOPE}`);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(searchParams.get('prompt')).toBeNull();
    const added = await microsoft.start({ ...newRequest(), selectsAccount: true, loginHint: ADA.account });
    expect(added.searchParams.get('prompt')).toBe('select_account');
    expect(added.searchParams.get('login_hint')).toBe(ADA.account);
  });

  it.each([
    ['common', ADA],
    ['common', MEI],
    ['organizations', ADA],
    ['consumers', MEI],
    ['aurora.example', ADA],
    ['5d2b1c1e-7f0a-4a55-9a57-1f6f0c0a7d11', ADA],
  ])('connects at the tenant %s', async (tenant, person) => {
    expect((await authorize(atTenant(tenant), person)).identity.account).toBe(person.account);
  });

  it('keeps the identity of an account whose address changes, and learns the new address by renewal', async () => {
    const before = await authorize(microsoft, ADA);
    sandbox.control.microsoft.changeAddress(ADA.account, 'nowak@aurora.example');
    const renewed = await microsoft.refresh(before.credentials);
    expect(renewed.fields).toEqual({ user: 'nowak@aurora.example' });
    const after = await authorize(microsoft, { account: 'nowak@aurora.example' });
    expect(after.identity.subject).toBe(before.identity.subject);
  });

  it('refuses the verifier of another browser', async () => {
    const request = newRequest();
    const callback = await visitConsent(await microsoft.start(request), ADA);
    const other = { ...request, verifier: newRequest().verifier };
    await expect(microsoft.finish(callback, other)).rejects.toMatchObject({ failure: 'reauthorise' });
    await expect(microsoft.finish(callback, { ...request, state: 'x' })).rejects.toMatchObject({
      failure: 'malformed',
    });
  });

  it('says that the permission was declined', async () => {
    await expect(authorize(microsoft, { ...ADA, deny: true })).rejects.toMatchObject({
      failure: 'forbidden',
      message: 'The permission was not given. Connect Outlook again and choose Accept. (AADSTS65004)',
    });
  });

  it('says which setting is wrong', async () => {
    await expect(authorize(atTenant('common', 'wrong'), ADA)).rejects.toMatchObject({
      failure: 'invalid',
      message: expect.stringMatching(/MICROSOFT_CLIENT_SECRET.*AADSTS7000215/),
    });
    await expect(atTenant('nowhere.example').start(newRequest())).rejects.toMatchObject({
      failure: expect.stringMatching(/invalid|malformed/),
    });
  });

  describe('renewal', () => {
    it('stores the new refresh token', async () => {
      const { credentials } = await authorize(microsoft, ADA);
      const renewed = await microsoft.refresh(credentials);
      expect(renewed.accessToken).not.toBe(credentials.accessToken);
      expect(renewed.refreshToken).not.toBe(credentials.refreshToken);
      expect(renewed).toMatchObject({ fields: { user: ADA.account } });
      expect(renewed.scopes).toContain(IMAP_SCOPE);
    });

    it('asks to connect again after the consent was withdrawn, and without a refresh token', async () => {
      const { credentials } = await authorize(microsoft, ADA);
      sandbox.control.microsoft.withdrawConsent(ADA.account);
      await expect(microsoft.refresh(credentials)).rejects.toMatchObject({
        failure: 'reauthorise',
        message: expect.stringMatching(/Connect Outlook again.*AADSTS65001/),
      });
      const { refreshToken: _, ...without } = credentials;
      await expect(microsoft.refresh(without)).rejects.toMatchObject({ failure: 'reauthorise' });
    });

    it('asks to connect again when Microsoft demands an interaction of a kind that is not explained', async () => {
      const { credentials } = await authorize(microsoft, ADA);
      refuse('token', 50999, 'interaction_required');
      await expect(microsoft.refresh(credentials)).rejects.toMatchObject({
        failure: 'reauthorise',
        message: 'Microsoft no longer accepts the access it granted (AADSTS50999). Connect Outlook again.',
      });
    });

    it.each(['http-500', 'http-503', 'html-error-body', 'connection-reset', 'truncated-json'] as const)(
      'reports %s as unavailable',
      async (name) => {
        const { credentials } = await authorize(microsoft, ADA);
        sandbox.control.fault({ name, match: { api: 'microsoft', path: /token/ } });
        await expect(microsoft.refresh(credentials)).rejects.toMatchObject({ failure: 'unavailable' });
      },
    );
  });

  describe('refusals', () => {
    const FAILURES = {
      person: ['forbidden', 'reauthorise'],
      organization: ['forbidden', 'reauthorise'],
      setup: ['invalid', 'invalid'],
      later: ['unavailable', 'unavailable'],
    };

    it.each(Object.entries(EXPLAINED))('explains AADSTS%s', async (code, [who, sentence]) => {
      const { credentials } = await authorize(microsoft, ADA);
      const message = `${sentence} (AADSTS${code})`;
      const [atConnect, atRenewal] = FAILURES[who];
      refuse('authorize', Number(code), 'access_denied');
      await expect(authorize(microsoft, ADA)).rejects.toMatchObject({ failure: atConnect, message });
      refuse('token', Number(code));
      await expect(microsoft.refresh(credentials)).rejects.toMatchObject({ failure: atRenewal, message });
    });

    it('has a row in the guide for each explained code', () => {
      const guide = readFileSync(new URL('../../../../docs/run/outlook.md', import.meta.url), 'utf8');
      const table = guide.slice(guide.indexOf('## Codes'), guide.indexOf('## Try it'));
      const rows = [...table.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, codes = '']) => codes.split(', '));
      expect(rows.sort()).toEqual(Object.keys(EXPLAINED).sort());
    });

    it('shows the code alone of those that are not explained', async () => {
      refuse('authorize', 123456, 'access_denied');
      await expect(authorize(microsoft, ADA)).rejects.toMatchObject({
        failure: 'forbidden',
        message: 'Microsoft did not grant access (AADSTS123456).',
      });
    });

    it.each(['65001', '90094', '50105', '53003', '50076', '50079', '50173', '7000222', '50020'])(
      'has a sentence with what to do for AADSTS%s',
      (code) => {
        expect(EXPLAINED[code]?.[1]).toMatch(/\b(connect|ask|set|administrator)/i);
      },
    );
  });
});
