import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorize, newRequest } from '../../test-support/consent.ts';
import { CLIENT, type OpenIdIssuer, startOpenIdIssuer } from '../../test-support/open-id-issuer.ts';
import { GoogleAuthorization } from './authorization.ts';

let issuer: OpenIdIssuer;

beforeAll(async () => {
  issuer = await startOpenIdIssuer();
});
afterAll(() => issuer.close());

/** Signs in with an ID token that has these claims in addition to the valid ones. */
async function identityOf(idToken: OpenIdIssuer['idToken'], purpose: 'sign-in' | 'connect' = 'sign-in') {
  issuer.idToken = idToken;
  const google = new GoogleAuthorization(issuer.url, CLIENT);
  return (await authorize(google, {}, newRequest(purpose))).identity;
}

const soon = () => Math.floor(Date.now() / 1000);

describe('ID token of a sign-in', () => {
  it('names the account', async () => {
    expect(await identityOf({})).toEqual({
      issuer: issuer.url,
      subject: 'subject-1',
      account: 'ada@mail.example',
      email: 'ada@mail.example',
      name: 'Ada Nowak',
    });
  });

  it.each([
    ['an empty subject', { sub: '' }],
    ['a blank subject', { sub: ' ' }],
    ['a subject that is no text', { sub: 7 }],
    ['a subject with a NUL', { sub: 'a\0b' }],
    ['a subject beyond 255 characters', { sub: 'a'.repeat(256) }],
    ['another authorised party', { azp: 'another-client' }],
    ['an authorised party that is no text', { azp: 7 }],
    ['a second audience without an authorised party', { aud: [CLIENT.id, 'another-client'] }],
    ['a second audience and another party', { aud: [CLIENT.id, 'x'], azp: 'x' }],
    ['an issue time in an hour', { iat: soon() + 3600, exp: soon() + 7200 }],
    ['an issue time in five minutes', { iat: soon() + 300 }],
    ['no issue time', { iat: undefined }],
    ['no expiry', { exp: undefined }],
    ['no subject', { sub: undefined }],
    ['text without dots', 'no-jwt'],
    ['three parts that are no JWT', 'a.b.c'],
    ['a JWT with a broken payload', `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.!!!.x`],
    ['a JWT whose payload is a list', `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.W10.x`],
  ])('is refused as untrustworthy: %s', async (_, claims) => {
    await expect(identityOf(claims as OpenIdIssuer['idToken'])).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringContaining('cannot be trusted'),
    });
  });

  it('is accepted with this client as the authorised party', async () => {
    expect(await identityOf({ azp: CLIENT.id })).toMatchObject({ subject: 'subject-1' });
    expect(await identityOf({ aud: [CLIENT.id, 'x'], azp: CLIENT.id })).toMatchObject({
      subject: 'subject-1',
    });
  });

  it.each([false, 'false'])('is refused with an unverified e-mail address: %o', async (verified) => {
    await expect(identityOf({ email_verified: verified })).rejects.toMatchObject({
      failure: 'forbidden',
      message: expect.stringContaining('not verified'),
    });
  });

  it.each([
    ['missing', undefined],
    ['no text', 7],
    ['a list', ['ada@mail.example']],
    ['empty', ''],
    ['no address', 'ada'],
    ['two lines', 'ada@mail.example\nplan: pro'],
    ['with a NUL', 'ada\0@mail.example'],
    ['beyond 254 characters', `${'a'.repeat(250)}@mail.example`],
  ])('yields no e-mail address when the claim is %s', async (_, email) => {
    expect(await identityOf({ email })).toMatchObject({ email: '', name: 'Ada Nowak' });
  });

  it.each([
    ['Ada\0 No\u001b[31mwak\u202e', 'Ada No[31mwak'],
    ['  Ada \n\t Nowak ', 'Ada Nowak'],
    ['x'.repeat(10_000), 'x'.repeat(200)],
    ['😀'.repeat(300), '😀'.repeat(200)],
    ['a\ud800b', 'ab'],
    ['\u200b\u2066', ''],
    [7, ''],
    [undefined, ''],
  ])('yields a cleaned name: %j', async (name, cleaned) => {
    expect(await identityOf({ name })).toMatchObject({ name: cleaned });
  });
});

describe('GoogleAuthorization', () => {
  it('connects an account without a verified address by its subject', async () => {
    expect(await identityOf({ email_verified: false }, 'connect')).toMatchObject({
      account: 'subject-1',
      email: '',
    });
  });
});
