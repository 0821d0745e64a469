import type { Profile } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputOf } from '../../test-support/run-command.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { issueLinkToken, linkedUser, type User } from '../features/accounts/index.ts';

const PROFILE = '/api/accounts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ DEMO: 'off', SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'a@example.com' });
});
afterAll(() => server?.remove());

const db = () => server.product.context.db;

/** Signs in by a printed link for an address. */
async function signInByLink(address: string): Promise<{ client: Client; user: User }> {
  const user = await linkedUser(db(), address);
  const client = new Client(server);
  client.token = await issueLinkToken(db(), user.id);
  return { client: await client.exchange(), user };
}

async function refusal(client: Client, body: object): Promise<unknown> {
  const answer = await client.call('PUT', PROFILE, body);
  const { error } = (await answer.json()) as { error?: { code: string; fields?: object } };
  return [answer.status, error?.code, error?.fields];
}

function command(...words: string[]): Promise<string> {
  const { DATABASE_URL = '', DATA_DIR } = server.config;
  return outputOf(words, { DATABASE_URL, DATA_DIR, PUBLIC_URL: server.url });
}

describe('an account of a printed link', () => {
  it('sets its name and address, which is unverified until the administrator verifies it', async () => {
    const { client, user } = await signInByLink('owner@localhost');
    const before = await client.get<Profile>(PROFILE);
    expect(before).toMatchObject({ name: 'owner', signInProvider: 'link' });
    expect(before).not.toHaveProperty('isUnverified');

    await client.json('PUT', PROFILE, { name: ' Ada Nowak ', email: 'ada@example.org' });
    const changed = { name: 'Ada Nowak', email: 'ada@example.org', isUnverified: true };
    expect(await client.get(PROFILE)).toMatchObject(changed);
    expect(await client.get('/api/data/alerts')).toMatchObject({ emailAddress: null });
    // An address that somebody typed leads no administrator to the account.
    await expect(command('login', 'ada@example.org')).rejects.toThrow(/Nobody has verified/);
    await expect(command('plan', 'ada@example.org', 'pro')).rejects.toThrow(user.id);

    // The next link for the former address is that of the same account, and changes nothing.
    await command('login', 'owner@localhost');
    expect(await client.get(PROFILE)).toMatchObject(changed);

    expect(await command('users', '--verify', user.id)).toContain('  ada@example.org  "Ada Nowak"');
    expect(await client.get(PROFILE)).not.toHaveProperty('isUnverified');
    expect(await client.get('/api/data/alerts')).toMatchObject({ emailAddress: 'ada@example.org' });
    await client.json('PUT', PROFILE, { name: 'Ada', email: 'ada@example.org', timeZone: 'Europe/Berlin' });
    const { isUnverified, ...profile } = await client.get<Profile>(PROFILE);
    expect(isUnverified).toBeUndefined();
    expect(profile).toMatchObject({ name: 'Ada', timeZone: 'Europe/Berlin' });
  });

  it('is refused the address of another account, however it is written', async () => {
    await signInByLink('Grace@home.example');
    const { client } = await signInByLink('linus@home.example');
    const taken = [409, 'address-taken', { email: 'Another account of this server has this address' }];
    expect(await refusal(client, { email: 'grace@HOME.example' })).toEqual(taken);
    await new Client(server).signIn('ada.nowak@sandbox.example');
    expect(await refusal(client, { email: 'ada.nowak@sandbox.example', name: 'X' })).toEqual(taken);
    expect(await client.get(PROFILE)).toMatchObject({ name: 'linus', email: 'linus@home.example' });
  });

  it('gets an address that two accounts want at the same time only once', async () => {
    const [one, two] = await Promise.all(['one@race.example', 'two@race.example'].map(signInByLink));
    const body = { email: 'same@race.example' };
    const answers = await Promise.all([one, two].map((both) => both?.client.call('PUT', PROFILE, body)));
    expect(answers.map((answer) => answer?.status).sort()).toEqual([200, 409]);
  });

  it.each([
    '',
    ' ',
    'ada',
    'a b@example.org',
    'ada@exa\nmple.org',
    'x@y@z',
    `${'a'.repeat(65)}@example.org`,
    `ada@${'e'.repeat(300)}.org`,
    '"Ada" <ada@example.org>',
  ])('is refused %j as an address', async (email) => {
    const { client } = await signInByLink('wrong@home.example');
    expect(await refusal(client, { email })).toMatchObject([
      422,
      'validation-failed',
      { email: expect.anything() },
    ]);
  });
});

it('refuses name and address of an account that an identity provider describes', async () => {
  const ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  expect(await refusal(ada, { name: 'Eve' })).toEqual([409, 'profile-of-provider', undefined]);
  await ada.json('PUT', PROFILE, { timeZone: 'Asia/Tokyo' });
});

it('has no demo sign-in with DEMO=off', async () => {
  const client = new Client(server);
  const answer = await client.call('GET', '/auth/demo');
  expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
    403,
    'demo-off',
  ]);
  expect(await client.get('/api/product')).toMatchObject({ demo: false });
});
