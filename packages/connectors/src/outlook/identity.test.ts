import { afterEach, describe, expect, it } from 'vitest';
import { authorize, newRequest } from '../../test-support/consent.ts';
import { CLIENT, type OpenIdIssuer, startOpenIdIssuer } from '../../test-support/open-id-issuer.ts';
import { IMAP_SCOPE, MicrosoftAuthorization } from './authorization.ts';

const AURORA = '5d2b1c1e-7f0a-4a55-9a57-1f6f0c0a7d11';
const HARBOR = '8e9f4b72-2c3d-4e61-b8aa-93d1f5c4e222';
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad';
const OBJECT = 'a0a7e2f4-30c5-4d5b-8a3e-6d2c9f1b0001';
const TEMPLATE = '/{tenantid}/v2.0';
/** The sound claims in addition to those that every token has. */
const WHO = { tid: AURORA, oid: OBJECT, preferred_username: 'ada@aurora.example' };

let issuer: OpenIdIssuer;
afterEach(() => issuer.close());

/** Connects at a platform whose discovery document names an issuer. @param idToken claims by the platform's address */
async function connectAt(
  { tenant = 'common', names = TEMPLATE }: { tenant?: string; names?: string },
  idToken: (url: string) => Record<string, unknown>,
) {
  issuer = await startOpenIdIssuer({ path: `/${tenant}/v2.0`, names, scope: `openid ${IMAP_SCOPE}` });
  issuer.idToken = idToken(issuer.url);
  const microsoft = new MicrosoftAuthorization({ url: issuer.url, tenant, client: CLIENT });
  return authorize(microsoft, {}, newRequest());
}

const issuerIn = (url: string, tenant: string) => `${url}/${tenant}/v2.0`;

describe('the issuer of a token', () => {
  it.each([AURORA, HARBOR, CONSUMERS])('is that of its own tenant, for any tenant: %s', async (tid) => {
    const { identity } = await connectAt({}, (url) => ({ ...WHO, tid, iss: issuerIn(url, tid) }));
    expect(identity).toMatchObject({ subject: `${tid}/${OBJECT}`, issuer: issuerIn(issuer.url, tid) });
  });

  it.each<[string, (url: string) => Record<string, unknown>]>([
    ['of another tenant', (url) => ({ ...WHO, iss: issuerIn(url, HARBOR) })],
    ['of no tenant', (url) => ({ ...WHO, iss: `${url}${TEMPLATE}` })],
    ['of another host', () => ({ ...WHO, iss: issuerIn('https://login.microsoftonline.com', AURORA) })],
    ['of version 1.0', (url) => ({ ...WHO, iss: `${url}/${AURORA}/` })],
    ['without tid', (url) => ({ ...WHO, tid: undefined, iss: issuerIn(url, AURORA) })],
    ['without tid, by that name', (url) => ({ ...WHO, tid: undefined, iss: issuerIn(url, 'undefined') })],
    ['with a tid that is no id', (url) => ({ ...WHO, tid: 'common', iss: issuerIn(url, 'common') })],
    [
      'with a tid that is a path',
      (url) => ({ ...WHO, tid: `x/${AURORA}`, iss: issuerIn(url, `x/${AURORA}`) }),
    ],
    ['with a tid that is a list', (url) => ({ ...WHO, tid: [AURORA], iss: issuerIn(url, AURORA) })],
    ['without oid', (url) => ({ ...WHO, oid: undefined, iss: issuerIn(url, AURORA) })],
    ['with an oid that is no id', (url) => ({ ...WHO, oid: 'ada', iss: issuerIn(url, AURORA) })],
  ])('is refused %s', async (_, idToken) => {
    await expect(connectAt({}, idToken)).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringContaining('cannot be trusted'),
    });
  });
});

describe('the discovery document', () => {
  const sound = (url: string) => ({ ...WHO, iss: issuerIn(url, AURORA) });

  it.each([
    ['common', TEMPLATE],
    ['organizations', TEMPLATE],
    ['aurora.example', `/${AURORA}/v2.0`],
    [AURORA, `/${AURORA}/v2.0`],
  ])('of %s may name the issuer %s', async (tenant, names) => {
    expect((await connectAt({ tenant, names }, sound)).identity.subject).toBe(`${AURORA}/${OBJECT}`);
  });

  it.each([
    ['common', `/${AURORA}/v2.0`],
    ['common', '/{tenantid}/v1.0'],
    ['common', '/common/v2.0'],
    ['aurora.example', TEMPLATE],
    ['aurora.example', '/aurora.example/v2.0'],
    ['consumers', TEMPLATE],
    [AURORA, `/${HARBOR}/v2.0`],
    [AURORA, TEMPLATE],
  ])('of %s must not name the issuer %s', async (tenant, names) => {
    await expect(connectAt({ tenant, names }, sound)).rejects.toMatchObject({ failure: 'malformed' });
  });

  it('of one organization accepts no token of another', async () => {
    const at = { tenant: AURORA, names: `/${AURORA}/v2.0` };
    const other = (url: string) => ({ ...WHO, tid: HARBOR, iss: issuerIn(url, HARBOR) });
    await expect(connectAt(at, other)).rejects.toMatchObject({ failure: 'malformed' });
    const mixed = (url: string) => ({ ...WHO, tid: HARBOR, iss: issuerIn(url, AURORA) });
    await expect(connectAt(at, mixed)).rejects.toMatchObject({ failure: 'malformed' });
  });
});

describe('the account', () => {
  const account = (claims: Record<string, unknown>) =>
    connectAt({}, (url) => ({ ...WHO, iss: issuerIn(url, AURORA), ...claims }));

  it('is named by tenant and object, with any address', async () => {
    const { identity, credentials } = await account({ preferred_username: 'new@aurora.example' });
    expect(identity).toMatchObject({ subject: `${AURORA}/${OBJECT}`, account: 'new@aurora.example' });
    expect(credentials.fields).toEqual({ user: 'new@aurora.example' });
  });

  it.each([undefined, '', 'ada', 'ada\u0001auth=Bearer x@aurora.example', 7])(
    'has the name of its mailbox in the address if the user name is none: %j',
    async (preferred_username) => {
      const { credentials } = await account({ preferred_username, email: 'ada@mail.example' });
      expect(credentials.fields).toEqual({ user: 'ada@mail.example' });
    },
  );

  it('is refused without any address', async () => {
    await expect(account({ preferred_username: undefined, email: undefined })).rejects.toMatchObject({
      failure: 'forbidden',
      message: expect.stringContaining('no mailbox'),
    });
  });
});
