import type { ErrorBody, Product, Profile, SignInMethod } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  codeOf,
  NOT_ACCEPTED,
  PASSKEY_ORIGIN,
  PasskeyPeople,
  selfAttestation,
} from '../../test-support/passkey-people.ts';
import { SoftwareAuthenticator, VERIFIED } from '../../test-support/software-authenticator.ts';
import { type Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { issueLinkToken, linkIdentity } from '../features/accounts/index.ts';
import { fingerprint } from '../platform/ids.ts';

const PASSKEYS = '/api/accounts/passkeys';
const METHODS = '/api/accounts/sign-in-methods';

let server: TestServer;
let people: PasskeyPeople;

beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL: PASSKEY_ORIGIN });
  people = new PasskeyPeople(server);
});
afterAll(() => server?.remove());

const db = () => server.product.context.db;

const idOf = async (client: Client) => (await client.get<Profile>('/api/accounts'))._id;

async function remove(client: Client, id: string | undefined, list = PASSKEYS) {
  const response = await client.call('DELETE', `${list}/${id}`);
  return { status: response.status, body: (await response.json()) as Partial<ErrorBody> };
}

describe('a passkey', () => {
  it('signs in to its account on a new device, and shows its last use', async () => {
    const { client, id } = await people.newPerson();
    const authenticator = await people.add(client);
    expect(await people.list(client)).toEqual([
      expect.objectContaining({ name: 'Phone', lastUsedAt: null, isBackedUp: false }),
    ]);
    const { client: phone, status } = await people.signIn(authenticator, { flags: VERIFIED | 8 | 16 });
    expect(status).toBe(200);
    expect(await idOf(phone)).toBe(id);
    const [used] = await people.list(client);
    expect(used?.lastUsedAt).toEqual(expect.any(String));
    expect(used?.isBackedUp).toBe(true);
  });

  it('records when its account was last seen, as a printed link does', async () => {
    const { client, id } = await people.newPerson();
    const authenticator = await people.add(client);
    const useLink = async () => {
      const browser = people.newClient();
      browser.token = await issueLinkToken(db(), id);
      await browser.exchange();
    };
    for (const signIn of [() => people.signIn(authenticator), useLink]) {
      await db().execute(sql`update users set seen_at = now() - interval '50 minutes' where id = ${id}`);
      await signIn();
      const { rows } = await db().execute(
        sql`select seen_at > now() - interval '40 minutes' as recent from users where id = ${id}`,
      );
      expect(rows).toEqual([{ recent: true }]);
    }
  });

  it('is asked for with user verification, without naming accounts', async () => {
    const { client, id } = await people.newPerson();
    const first = await people.add(client);
    const options = await people.start(client);
    expect(options).toMatchObject({
      rp: { id: 'data.example.org' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: first.id, transports: ['internal'] }],
    });
    expect(Buffer.from(options.user.id, 'base64url').toString()).toBe(id);
    expect(await people.challenge(people.newClient())).toEqual({
      challenge: expect.any(String),
      rpId: 'data.example.org',
      timeout: 120_000,
      userVerification: 'required',
    });
  });

  it('shows on the login screen once some account has one', async () => {
    await db().execute(sql`delete from passkeys`);
    expect(await people.newClient().get<Product>('/api/product')).toMatchObject({ passkeys: false });
    const { client } = await people.newPerson();
    await people.add(client);
    expect(await people.newClient().get<Product>('/api/product')).toMatchObject({ passkeys: true });
  });

  it('can be renamed, by its owner alone', async () => {
    const [ada, eve] = [await people.newPerson(), await people.newPerson()];
    await people.add(ada.client);
    const path = `${PASSKEYS}/${(await people.list(ada.client))[0]?._id}`;
    await ada.client.json('PUT', path, { name: '  Work phone ' });
    expect(await people.list(ada.client)).toMatchObject([{ name: 'Work phone' }]);
    expect((await eve.client.call('PUT', path, { name: 'x' })).status).toBe(404);
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(101)])
      expect((await ada.client.call('PUT', path, { name })).status, name).toBe(422);
    expect(await people.list(ada.client)).toMatchObject([{ name: 'Work phone' }]);
  });

  it('is gone with its account', async () => {
    const { client } = await people.newPerson();
    const authenticator = await people.add(client);
    await client.json('DELETE', '/api/accounts/delete-account');
    const { status, body } = await people.signIn(authenticator);
    expect([status, body.error?.message]).toEqual([401, NOT_ACCEPTED]);
    const { rows } = await db().execute(sql`select from passkeys where credential_id = ${authenticator.id}`);
    expect(rows).toEqual([]);
  });

  it('sets the session cookie of the browser, and ends its former session', async () => {
    const { client } = await people.newPerson();
    const authenticator = await people.add(client);
    const former = client.token;
    const answer = await people.prove(client, authenticator.get(await people.challenge(client)));
    expect(answer.status).toBe(200);
    expect((await client.call('GET', '/api/accounts')).status).toBe(401);
    client.token = answer.body.token ?? '';
    expect(client.token).not.toBe(former);
    expect((await client.call('GET', '/api/accounts')).status).toBe(200);
  });
});

describe('adding a passkey', () => {
  it('needs a sign-in of the last ten minutes', async () => {
    const { client } = await people.newPerson();
    const age = (minutes: number) =>
      db().execute(
        sql`update sessions set created_at = now() - make_interval(secs => ${minutes * 60})
          where token_hash = ${fingerprint(client.token)}`,
      );
    await age(9.9);
    await people.add(client);
    await age(10);
    const answer = await people.send(client, '/auth/passkeys/new');
    expect(codeOf(answer)).toEqual([403, 'sign-in-too-old']);
    expect(answer.body.error?.message).toMatch(/within 10 minutes of a sign-in\. Sign in again/);
  });

  it('stops at twenty', async () => {
    const { client, id } = await people.newPerson();
    const authenticator = new SoftwareAuthenticator(PASSKEY_ORIGIN);
    const options = await people.start(client);
    await db().execute(
      sql`insert into passkeys (user_id, id, credential_id, public_key, counter, transports, name, is_backed_up)
        select ${id}, gen_random_uuid(), n::text, '', 0, '{}', 'x', false from generate_series(1, 20) n`,
    );
    expect(codeOf(await people.send(client, '/auth/passkeys/new'))).toEqual([409, 'limit-reached']);
    expect(codeOf(await people.finish(client, authenticator.create(options)))).toEqual([
      409,
      'limit-reached',
    ]);
    expect(await people.list(client)).toHaveLength(20);
  });

  it('refuses a passkey that the account has', async () => {
    const { client } = await people.newPerson();
    const authenticator = await people.add(client);
    const again = await people.finish(client, authenticator.create(await people.start(client)));
    expect(codeOf(again)).toEqual([422, 'passkey-refused']);
    expect(await people.list(client)).toHaveLength(1);
  });

  it('is not for demo users', async () => {
    const demo = await people.newClient().demo();
    expect(codeOf(await people.send(demo, '/auth/passkeys/new'))).toEqual([403, 'plan-forbids']);
    expect(await people.list(demo)).toEqual([]);
  });

  it('accepts the self-attestation of an authenticator', async () => {
    const { client } = await people.newPerson();
    const authenticator = new SoftwareAuthenticator(PASSKEY_ORIGIN);
    const attestation = (signed: Buffer) => selfAttestation(authenticator.sign(signed));
    const answer = await people.finish(
      client,
      authenticator.create(await people.start(client), { attestation }),
    );
    expect(answer.status).toBe(201);
  });
});

describe('removing', () => {
  it('ends the sessions of other browsers and sign-ins with the passkey', async () => {
    const { client, id } = await people.newPerson();
    const authenticator = await people.add(client);
    const { client: phone } = await people.signIn(authenticator);
    const link = await issueLinkToken(db(), id);
    expect((await remove(client, (await people.list(client))[0]?._id)).status).toBe(200);
    expect((await phone.call('GET', '/api/accounts')).status).toBe(401);
    expect((await client.call('GET', '/api/accounts')).status).toBe(200);
    expect((await people.signIn(authenticator)).status).toBe(401);
    const late = people.newClient();
    late.token = link;
    await expect(late.exchange()).rejects.toThrow(/401/);
  });

  it("refuses another user's passkey", async () => {
    const [ada, eve] = [await people.newPerson(), await people.newPerson()];
    await people.add(ada.client);
    const id = (await people.list(ada.client))[0]?._id;
    expect((await remove(eve.client, id)).status).toBe(404);
    expect(await people.list(ada.client)).toHaveLength(1);
  });

  it('leaves one sign-in method, a passkey or another', async () => {
    const { client, id } = await people.newPerson();
    const [link] = await client.get<SignInMethod[]>(METHODS);
    expect(codeOf(await remove(client, link?._id, METHODS))).toEqual([409, 'last-sign-in-method']);

    const authenticator = await people.add(client);
    expect((await remove(client, link?._id, METHODS)).status).toBe(200);
    const [passkey] = await people.list(client);
    expect(codeOf(await remove(client, passkey?._id))).toEqual([409, 'last-sign-in-method']);
    expect(await people.list(client)).toHaveLength(1);
    expect(await idOf((await people.signIn(authenticator)).client)).toBe(id);
    // Nobody sends name and address any more, so that the owner sets them.
    await client.json('PUT', '/api/accounts', { name: 'Ada' });

    const identity = {
      issuer: 'https://issuer.example',
      subject: id,
      email: 'ada@issuer.example',
      name: 'Ada',
    };
    const owner = { userId: id, sessionHash: fingerprint(client.token) };
    expect(await linkIdentity(server.product.context, owner, { identity, provider: 'google' })).toBe(
      'linked',
    );
    expect(await client.get<Profile>('/api/accounts')).toMatchObject({ signInProvider: 'google' });
    expect((await remove(client, passkey?._id)).status).toBe(200);
  });

  it('of two methods at the same time leaves one', async () => {
    const { client } = await people.newPerson();
    await people.add(client);
    const [link] = await client.get<SignInMethod[]>(METHODS);
    const [passkey] = await people.list(client);
    const answers = await Promise.all([remove(client, link?._id, METHODS), remove(client, passkey?._id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
