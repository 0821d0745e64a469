import type { Profile } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputOf } from '../../test-support/run-command.ts';
import { shareServer } from '../../test-support/shared-server.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';
import { findOrCreateUser, findUser } from '../features/accounts/index.ts';

let server: TestServer;

beforeAll(async () => {
  server = await shareServer();
});
afterAll(() => server?.remove());

/** Runs `datadeck login` beside the server. @param settings in addition to those of the server */
function login(account: string, settings: Record<string, string> = {}): Promise<string> {
  const { DATABASE_URL = '', DATA_DIR } = server.config;
  return outputOf(['login', account], { DATABASE_URL, DATA_DIR, PUBLIC_URL: server.url, ...settings });
}

async function linkFor(account: string): Promise<string> {
  const printed = await login(account);
  return printed.match(/^http\S+$/m)?.[0] ?? `no link in: ${printed}`;
}

/** Opens a link. @returns a client with the sign-in token of `res` */
async function open(link: string): Promise<Client> {
  const browser = new Client(server);
  const { url } = await browser.navigator.visit(link);
  browser.token = (JSON.parse(url.searchParams.get('res') ?? '{}') as { token: string }).token;
  return browser;
}

async function signIn(account: string): Promise<Profile> {
  return (await (await open(await linkFor(account))).exchange()).get<Profile>('/api/accounts');
}

describe('datadeck login', () => {
  it('creates an account with the standard plan and signs in to it again', async () => {
    const first = await signIn('Grace@Home.example');
    expect(first).toMatchObject({ name: 'Grace', email: 'Grace@Home.example', status: 'standard' });
    expect((await signIn('grace@home.example'))._id).toBe(first._id);
  });

  it('prints a link that is good once, also for requests at the same time', async () => {
    const link = await linkFor('race@home.example');
    const browsers = await Promise.all([1, 2, 3].map(() => open(link)));
    const outcomes = await Promise.allSettled(browsers.map((browser) => browser.exchange()));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    await expect((await open(link)).exchange()).rejects.toThrow('401');
  });

  it('prints a link that previews do not use up', async () => {
    const link = await linkFor('preview@home.example');
    for (const method of ['HEAD', 'GET', 'HEAD']) await fetch(link, { method });
    const answer = await fetch(link, { redirect: 'manual' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.getSetCookie()).toEqual([]);
    await (await open(link)).exchange();
  });

  it('prints a link that expires after ten minutes and is stored as a hash', async () => {
    const { $client } = server.product.context.db;
    const before = await $client.query<{ now: string }>('select now()::text as now');
    const link = await linkFor('late@home.example');
    const { rows } = await $client.query<{ lifetime: number; left: number; row: string }>(
      `select extract(epoch from t.expires_at - $1::timestamptz)::float as lifetime,
         extract(epoch from t.expires_at - now())::float as left, t::text as row
       from sign_in_tokens t join users u on u.id = t.user_id where u.email = 'late@home.example'`,
      [before.rows[0]?.now],
    );
    expect(rows[0]?.lifetime).toBeGreaterThanOrEqual(600);
    expect(rows[0]?.left).toBeLessThanOrEqual(600);
    expect(rows[0]?.row).not.toContain(link.split('_').at(-1));
    await $client.query("update sign_in_tokens set expires_at = expires_at - interval '600 seconds'");
    await expect((await open(link)).exchange()).rejects.toThrow('401');
  });

  it('signs in to the only account with the address, also if a provider created it', async () => {
    const identity = { issuer: 'https://a.example', subject: 's', email: 'alan@mail.example', name: 'Alan' };
    const { id } = await findOrCreateUser(server.product.context, identity, 'google');
    expect((await signIn('ALAN@mail.example'))._id).toBe(id);
    expect((await signIn(id))._id).toBe(id);
  });

  it('lists several accounts with the address and accepts an id', async () => {
    const { context } = server.product;
    const identity = { issuer: 'https://a.example', email: 'two@mail.example', name: 'Two' };
    const one = await findOrCreateUser(context, { ...identity, subject: 'one' }, 'google');
    const two = await findOrCreateUser(context, { ...identity, subject: 'two' }, 'google');
    const refused = login('two@mail.example');
    await expect(refused).rejects.toThrow(/2 accounts have the e-mail address/);
    await expect(refused).rejects.toThrow(one.id);
    expect((await signIn(two.id))._id).toBe(two.id);
    expect(await findUser(context.db, one.id)).toMatchObject({ plan: 'standard' });
  });

  it('refuses what is neither an address nor a known id', async () => {
    for (const account of ['nobody', 'a@b@c', crypto.randomUUID(), 'x\u001b]0;@mail.example'])
      await expect(login(account)).rejects.toThrow(/not an e-mail address/);
  });

  it('names the setting when the address is not known', async () => {
    const unknown = login('a@b.example', { PORT: '0', PUBLIC_URL: '' });
    await expect(unknown).rejects.toThrow('Set PUBLIC_URL');
  });
});
