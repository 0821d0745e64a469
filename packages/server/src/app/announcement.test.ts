import type { Profile, SignInPreview } from '@datadeck/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { shareServer } from '../../test-support/shared-server.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { findOrCreateUser } from '../features/accounts/index.ts';
import type { Config } from '../platform/config/config.ts';
import { announcementOf } from './announcement.ts';

let server: TestServer;
afterEach(() => server?.remove());

/** Returns the announcement of a start with other settings. */
async function announced(change: Partial<Config> = {}): Promise<string> {
  const { product } = server;
  const config = { ...product.context.config, ...change };
  return (await announcementOf({ ...product, context: { ...product.context, config } })).join('\n');
}

function linkIn(text: string): string | undefined {
  return text.match(/^http\S+\/auth\/link\/\S+$/m)?.[0];
}

/** Opens a link like the web app: previews it, then exchanges its token. */
async function openLink(link: string): Promise<{ browser: Client; preview: SignInPreview }> {
  const browser = new Client(server);
  const { url } = await browser.navigator.visit(link);
  browser.token = (JSON.parse(url.searchParams.get('res') ?? '{}') as { token: string }).token;
  const headers = { authorization: `Bearer ${browser.token}` };
  const { html } = await browser.navigator.visit(`${server.url}/auth/sign-in`, { headers });
  return { browser: await browser.exchange(), preview: JSON.parse(html) as SignInPreview };
}

describe('announcementOf', () => {
  it('prints a link for the owner until the owner has signed in', async () => {
    server = await startTestServer({ SANDBOX: 'off' });
    await new Client(server).demo();
    const first = linkIn(await announced());
    const second = linkIn(await announced());
    expect(second).toMatch(/^http/);
    expect(second).not.toBe(first);

    const { browser, preview } = await openLink(second ?? '');
    expect(preview).toEqual({ name: 'owner', email: 'owner@localhost', beganHere: false });
    expect(await browser.get<Profile>('/api/accounts')).toMatchObject({
      email: 'owner@localhost',
      status: 'standard',
    });
    const later = await announced();
    expect(linkIn(later)).toBeUndefined();
    expect(later).toContain("'datadeck login EMAIL' prints a link");
  });

  it('prints no link when an account of another way to sign in exists', async () => {
    server = await startTestServer({ SANDBOX: 'off' });
    const identity = { issuer: 'https://a.example', subject: 's', email: 'a@mail.example', name: 'A' };
    await findOrCreateUser(server.product.context, identity, 'google');
    expect(linkIn(await announced())).toBeUndefined();
  });

  it('says how to sign in with the sandbox and with Google', async () => {
    server = await shareServer();
    expect(await announced()).toContain('choose a sample account, or continue as Demo User');
    expect(await announced({ sandbox: false })).toContain('Sign in with Google.');
    expect(await announced({ ROLE: 'worker' })).not.toContain('Sign in');
  });

  it('says where the data is, without a password', async () => {
    server = await shareServer();
    const text = await announced({ DATABASE_URL: 'postgres://ada:hunter2@db.example:5433/deck' });
    expect(text).toContain('in the database deck on db.example:5433.');
    expect(text).not.toContain('hunter2');
    const { DATABASE_URL: _, ...embedded } = server.product.context.config;
    const context = { ...server.product.context, config: embedded as Config };
    expect((await announcementOf({ ...server.product, context })).join('\n')).toContain(
      `Your data is kept in ${server.config.DATA_DIR}.`,
    );
  });
});
