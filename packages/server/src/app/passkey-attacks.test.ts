import { generateKeyPairSync } from 'node:crypto';
import type { PasskeyCreationOptions, PasskeyProof, PasskeyRequestOptions } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { attestByCertificate } from '../../test-support/attestation-certificate.ts';
import {
  type Answer,
  codeOf,
  NOT_ACCEPTED,
  PASSKEY_ORIGIN,
  PasskeyPeople,
  selfAttestation,
} from '../../test-support/passkey-people.ts';
import {
  type Deviation,
  encodeCbor,
  SoftwareAuthenticator,
} from '../../test-support/software-authenticator.ts';
import { type Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { issueLinkToken } from '../features/accounts/index.ts';
import { fingerprint } from '../platform/ids.ts';

let server: TestServer;
let people: PasskeyPeople;

beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL: PASSKEY_ORIGIN });
  people = new PasskeyPeople(server);
});
afterAll(() => server?.remove());

const db = () => server.product.context.db;

describe('adding a passkey', () => {
  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['http instead of https', { origin: 'http://data.example.org' }],
    ['a port', { origin: `${PASSKEY_ORIGIN}:8443` }],
    ['another RP id', { rpId: 'evil.example' }],
    ['a parent domain as RP id', { rpId: 'example.org' }],
    ['no user verification', { flags: 1 }],
    ['no user presence', { flags: 4 }],
    ['the ceremony of a sign-in', { type: 'webauthn.get' }],
    ['a certificate, which was not asked for', { attestation: attestByCertificate }],
    ['an unknown attestation', { attestation: () => ({ fmt: 'x', attStmt: new Map() }) }],
    ['a self-attestation with a wrong signature', { attestation: () => selfAttestation(Buffer.alloc(70)) }],
  ])('refuses %s', async (_name, deviation) => {
    const { client } = await people.newPerson();
    const authenticator = new SoftwareAuthenticator(PASSKEY_ORIGIN);
    const answer = await people.finish(client, authenticator.create(await people.start(client), deviation));
    expect(codeOf(answer)).toEqual([422, 'passkey-refused']);
    expect(await people.list(client)).toEqual([]);
  });

  it('uses a challenge once, also when the first use failed', async () => {
    const { client } = await people.newPerson();
    const authenticator = new SoftwareAuthenticator(PASSKEY_ORIGIN);
    const options = await people.start(client);
    const wrong = await people.finish(client, authenticator.create(options, { flags: 1 }));
    const right = await people.finish(client, authenticator.create(options));
    expect([codeOf(wrong), codeOf(right)]).toEqual([
      [422, 'passkey-refused'],
      [422, 'passkey-refused'],
    ]);
    expect(right.body.error?.message).toMatch(/two minutes are over/);
  });

  it('refuses the challenge of another account, session, browser or purpose', async () => {
    const [ada, eve] = [await people.newPerson(), await people.newPerson()];
    const authenticator = new SoftwareAuthenticator(PASSKEY_ORIGIN);
    const refused = async (client: Client, options: PasskeyCreationOptions) =>
      expect(codeOf(await people.finish(client, authenticator.create(options)))).toEqual([
        422,
        'passkey-refused',
      ]);

    await refused(eve.client, await people.start(ada.client));
    // In the same browser, after another account signed in.
    const options = await people.start(ada.client);
    const former = ada.client.token;
    ada.client.token = eve.client.token;
    await refused(ada.client, options);
    // In the same browser, by another session of the same account.
    const later = people.newClient();
    later.token = await issueLinkToken(db(), ada.id);
    await later.exchange();
    ada.client.token = former;
    const begun = await people.start(ada.client);
    ada.client.token = later.token;
    await refused(ada.client, begun);
    ada.client.token = former;
    const own = await people.start(ada.client);
    await refused(ada.client, { ...own, challenge: (await people.challenge(ada.client)).challenge });
    await refused(ada.client, { ...own, challenge: 'bGluay14' });
    const last = await people.start(ada.client);
    ada.client.navigator.forget();
    await refused(ada.client, last);
    expect([await people.list(ada.client), await people.list(eve.client)]).toEqual([[], []]);
  });

  it('refuses a challenge after two minutes', async () => {
    const { client } = await people.newPerson();
    const options = await people.start(client);
    const { rows } = await db().execute<{ seconds: number }>(
      sql`select extract(epoch from expires_at - now()) as seconds from auth_attempts
        where session_hash = ${fingerprint(client.token)}`,
    );
    expect(Number(rows[0]?.seconds)).toBeCloseTo(120, -1);
    await db().execute(sql`update auth_attempts set expires_at = now()`);
    const answer = await people.finish(client, new SoftwareAuthenticator(PASSKEY_ORIGIN).create(options));
    expect(codeOf(answer)).toEqual([422, 'passkey-refused']);
  });

  it('fails after the session has ended', async () => {
    const { client } = await people.newPerson();
    const credential = new SoftwareAuthenticator(PASSKEY_ORIGIN).create(await people.start(client));
    await client.post('/auth/logout');
    expect((await people.finish(client, credential)).status).toBe(401);
  });
});

describe('a sign-in with a passkey', () => {
  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another RP id', { rpId: 'evil.example' }],
    ['no user verification', { flags: 1 }],
    ['no user presence', { flags: 4 }],
    ['the ceremony of an addition', { type: 'webauthn.create' }],
    ['a page in a frame of another site', { isCrossOrigin: true }],
    ['an unknown account', { userHandle: crypto.randomUUID() }],
    ['a user handle that is no id', { userHandle: "' or true --" }],
  ])('refuses %s, without a reason', async (_name, deviation) => {
    const { client } = await people.newPerson();
    const { status, body } = await people.signIn(await people.add(client), deviation);
    expect([status, body.error?.message]).toEqual([401, NOT_ACCEPTED]);
    expect(await people.list(client)).toMatchObject([{ lastUsedAt: null }]);
  });

  it("refuses a foreign account's id, another key and an unknown passkey, without a reason", async () => {
    const [ada, eve] = [await people.newPerson(), await people.newPerson()];
    const [own, foreign] = [await people.add(eve.client), await people.add(ada.client)];
    const refused = async (proof: (options: PasskeyRequestOptions) => PasskeyProof) => {
      const client = people.newClient();
      const { status, body } = await people.prove(client, proof(await people.challenge(client)));
      expect([status, body.error?.message]).toEqual([401, NOT_ACCEPTED]);
    };
    await refused((options) => own.get(options, { userHandle: ada.id }));
    await refused((options) => foreign.get(options, { userHandle: eve.id }));
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await refused((options) => foreign.get(options, {}, privateKey));
    await refused((options) => ({
      ...own.get(options, { userHandle: ada.id }),
      id: foreign.id,
      rawId: foreign.id,
    }));
    await refused((options) => {
      const proof = foreign.get(options);
      const longer = Buffer.concat([
        Buffer.from(proof.response.authenticatorData, 'base64url'),
        Buffer.from([0]),
      ]);
      return { ...proof, response: { ...proof.response, authenticatorData: longer.toString('base64url') } };
    });
    expect((await people.signIn(foreign)).status).toBe(200);
  });

  it('uses a challenge once, in the browser that asked for it, within two minutes', async () => {
    const { client } = await people.newPerson();
    const authenticator = await people.add(client);
    const TOO_LATE = 'This sign-in took too long, or was already used. Try again.';
    const refused = (answer: Answer<unknown>) =>
      expect([answer.status, answer.body.error?.message]).toEqual([401, TOO_LATE]);

    const browser = people.newClient();
    const proof = authenticator.get(await people.challenge(browser));
    expect((await people.prove(browser, proof)).status).toBe(200);
    refused(await people.prove(browser, proof));

    refused(await people.prove(people.newClient(), authenticator.get(await people.challenge(browser))));
    const old = authenticator.get(await people.challenge(browser));
    await db().execute(sql`update auth_attempts set expires_at = now()`);
    refused(await people.prove(browser, old));
    // A challenge of an addition signs nobody in.
    refused(
      await people.prove(
        client,
        authenticator.get({
          ...(await people.challenge(client)),
          challenge: (await people.start(client)).challenge,
        }),
      ),
    );
  });

  it('lets one of two uses of a challenge win', async () => {
    const { client } = await people.newPerson();
    const authenticator = await people.add(client);
    const browser = people.newClient();
    const proof = authenticator.get(await people.challenge(browser));
    const answers = await Promise.all([people.prove(browser, proof), people.prove(browser, proof)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('refuses a counter that does not grow, says what it means, and logs it', async () => {
    const warn = vi.spyOn(server.product.context.log, 'warn');
    const { client, id } = await people.newPerson();
    const authenticator = await people.add(client, { counter: 5 });
    expect((await people.signIn(authenticator, { counter: 6 })).status).toBe(200);
    for (const counter of [6, 5, 0]) {
      const { status, body } = await people.signIn(authenticator, { counter });
      expect([status, body.error?.code]).toEqual([401, 'unauthenticated']);
      expect(body.error?.message).toMatch(
        /its count of uses did not grow since its last sign-in, so a copy of it may exist/,
      );
      expect(warn.mock.lastCall?.[0]).toEqual({
        ...{ userId: id, passkeyId: (await people.list(client))[0]?._id },
        ...{ stored: 6, counter },
      });
    }
    warn.mockRestore();
    expect((await people.signIn(authenticator, { counter: 7 })).status).toBe(200);
  });

  it('lets one of two copies with the same counter win', async () => {
    const { client } = await people.newPerson();
    const authenticator = await people.add(client, { counter: 5 });
    const copies = [authenticator, authenticator].map((copy) => people.signIn(copy, { counter: 6 }));
    expect((await Promise.all(copies)).map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('accepts an authenticator that does not count', async () => {
    const { client } = await people.newPerson();
    const authenticator = await people.add(client);
    expect((await people.signIn(authenticator)).status).toBe(200);
    expect((await people.signIn(authenticator)).status).toBe(200);
  });

  it('is limited by network', async () => {
    const client = people.newClient();
    for (let count = 0; count < 60; count++) await people.challenge(client);
    expect(codeOf(await people.send(client, '/auth/passkeys/challenge'))).toEqual([429, 'rate-limited']);
  });
});

describe('a malformed body', () => {
  const text = (length: number) => 'A'.repeat(length);
  const nested = Buffer.alloc(11_000, 0x81).toString('base64url');
  const huge = Buffer.from([0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]).toString('base64url');

  it.each<[string, (proof: PasskeyProof) => unknown]>([
    ['nothing', () => undefined],
    ['a text', () => 'x'],
    ['no response', ({ response: _response, ...rest }) => rest],
    ['another type', (proof) => ({ ...proof, type: 'password' })],
    ['a long id', (proof) => ({ ...proof, id: text(1365) })],
    ['characters beyond base64url', (proof) => ({ ...proof, id: 'a+b/c=' })],
    ...(['clientDataJSON', 'authenticatorData', 'signature', 'userHandle'] as const).map(
      (field): [string, (proof: PasskeyProof) => unknown] => [
        `an oversized ${field}`,
        (proof) => ({ ...proof, response: { ...proof.response, [field]: text(8001) } }),
      ],
    ),
  ])('is refused before anything is read: %s', async (_name, change) => {
    const client = people.newClient();
    const proof = new SoftwareAuthenticator(PASSKEY_ORIGIN).get(await people.challenge(client));
    const answer = await people.prove(
      client,
      change({ ...proof, response: { ...proof.response, userHandle: 'x' } }) as PasskeyProof,
    );
    expect(codeOf(answer)).toEqual([422, 'validation-failed']);
  });

  it.each<[string, string]>([
    ['deeply nested', nested],
    ['with a huge length', huge],
    ['no CBOR', text(15_999)],
    ['a number', encodeCbor(1).toString('base64url')],
    ['a map without members', encodeCbor(new Map()).toString('base64url')],
    [
      'with short authenticator data',
      encodeCbor(
        new Map<string, string | Buffer | Map<string, string>>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', Buffer.alloc(10)],
        ]),
      ).toString('base64url'),
    ],
  ])('is refused as an attestation: %s', async (_name, attestationObject) => {
    const { client } = await people.newPerson();
    const credential = new SoftwareAuthenticator(PASSKEY_ORIGIN).create(await people.start(client));
    const wrong = { ...credential, response: { ...credential.response, attestationObject } };
    expect(codeOf(await people.finish(client, wrong))).toEqual([422, 'passkey-refused']);
  });

  it.each(['e30', 'bnVsbA', 'eyJjaGFsbGVuZ2UiOjF9', 'WzFd', 'AAAA'])(
    'is refused as data of the browser: %s',
    async (clientDataJSON) => {
      const { client } = await people.newPerson();
      const authenticator = await people.add(client);
      const proof = authenticator.get(await people.challenge(client));
      const wrong = { ...proof, response: { ...proof.response, clientDataJSON } };
      expect((await people.prove(client, wrong)).status).toBe(401);
    },
  );
});
