import type { ApiToken } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputOf, runCommand } from '../test-support/run-command.ts';
import { shareServer } from '../test-support/shared-server.ts';
import { Client, type TestServer } from '../test-support/test-server.ts';
import { findOrCreateUser, findUser, listAuditEntries, type User } from './features/accounts/index.ts';

let server: TestServer;

beforeAll(async () => {
  server = await shareServer();
});
afterAll(() => server?.remove());

/** Runs a command of `datadeck` beside the server. @returns its output */
function run(...words: string[]): Promise<string> {
  const { DATABASE_URL = '', DATA_DIR } = server.config;
  return outputOf(words, { DATABASE_URL, DATA_DIR });
}

function createUser(subject: string, email: string, name = 'Ada'): Promise<User> {
  const identity = { issuer: 'https://issuer.example', subject, email, name };
  return findOrCreateUser(server.product.context, identity, 'google');
}

async function planOf(user: User): Promise<string | undefined> {
  return (await findUser(server.product.context.db, user.id))?.plan;
}

describe('datadeck plan', () => {
  it('changes the plan of the only account with an e-mail address', async () => {
    const user = await createUser('one', 'one@mail.example');
    await run('plan', 'One@Mail.example', 'pro');
    expect(await planOf(user)).toBe('pro');
  });

  it('refuses an address that two accounts have, and lists their ids', async () => {
    const real = await createUser('real', 'two@mail.example');
    const impostor = await createUser('impostor', 'TWO@mail.example');
    const refused = run('plan', 'two@mail.example', 'pro');
    await expect(refused).rejects.toThrow(/2 accounts have the e-mail address/);
    await expect(refused).rejects.toThrow(real.id);
    await expect(refused).rejects.toThrow(impostor.id);
    expect([await planOf(real), await planOf(impostor)]).toEqual(['standard', 'standard']);
    await run('plan', real.id, 'pro');
    expect([await planOf(real), await planOf(impostor)]).toEqual(['pro', 'standard']);
  });

  it('reports an unknown address or account id', async () => {
    await expect(run('plan', 'nobody@mail.example', 'pro')).rejects.toThrow('There is no account');
    await expect(run('plan', crypto.randomUUID(), 'pro')).rejects.toThrow('There is no account');
  });

  it('refuses to change demo users', async () => {
    await new Client(server).demo();
    await expect(run('plan', 'demo@datadeck.example', 'pro')).rejects.toThrow('no account');
  });
});

describe('datadeck users', () => {
  it('escapes names and addresses', async () => {
    await createUser('escape', 'x\u001b]0;@mail.example', 'A"\u001b[2J\u202eda\nroot  pro');
    const printed = await run('users');
    expect(printed).toContain(String.raw`x\u{1b}]0;@mail.example  "A\"\u001b[2J\u{202e}da\nroot  pro"`);
    expect(printed).not.toContain('\u001b');
  });
});

describe('datadeck users --admin', () => {
  const markOf = async ({ id }: User) => (await findUser(server.product.context.db, id))?.isAdministrator;
  const newestEntry = async () => (await listAuditEntries(server.product.context.db, 1)).results[0];

  it('makes the account with an address or id an administrator, and --no-admin ends it, also for the last', async () => {
    const user = await createUser('admin', 'admin@mail.example');
    await run('users', '--no-admin', user.id);
    for (const account of ['Admin@mail.example', user.id]) {
      expect(await run('users', '--admin', account)).toContain('admin@mail.example  "Ada"  administrator');
      expect(await markOf(user)).toBe(true);
      expect(await newestEntry()).toMatchObject({
        ...{ actor: 'shell', by: null, action: 'administrator-granted' },
        account: { _id: user.id },
      });
      expect(await run('users', '--no-admin', account)).not.toContain('administrator');
      expect(await markOf(user)).toBe(false);
      expect(await newestEntry()).toMatchObject({ actor: 'shell', action: 'administrator-revoked' });
    }
  });

  it('is refused for demo and unknown accounts, and for addresses that nobody has verified', async () => {
    const demo = await new Client(server).demo();
    const { _id } = await demo.get<{ _id: string }>('/api/accounts');
    for (const account of [_id, 'demo@datadeck.example', 'nobody@mail.example'])
      await expect(run('users', '--admin', account)).rejects.toThrow('There is no account');
    const user = await createUser('unverified', 'unverified@mail.example');
    const { $client } = server.product.context.db;
    await $client.query('update users set email_verified = false where id = $1', [user.id]);
    await expect(run('users', '--admin', 'unverified@mail.example')).rejects.toThrow('Nobody has verified');
    expect(await markOf(user)).toBe(false);
    await run('users', '--verify', user.id, '--admin', user.id);
    expect(await markOf(user)).toBe(true);
  });

  it('is in the audit log like the other commands that change accounts', async () => {
    const user = await createUser('audited', 'audited@mail.example');
    await run('users', '--verify', user.id);
    await run('plan', user.id, 'pro');
    await run('plan', user.id, 'pro');
    const token = (await run('token', 'create', user.id, '--name', 'Secret name', '--scope', 'sync')).trim();
    const [listed = ''] = (await run('token', 'list', user.id)).split('  ');
    await run('token', 'revoke', user.id, listed);
    const { results } = await listAuditEntries(server.product.context.db, 1);
    const own = results.filter(({ account }) => account?._id === user.id);
    expect(own.map(({ action, detail }) => [action, detail]).reverse()).toEqual([
      ['plan-changed', 'standard → pro'],
      ['token-created', 'sync'],
      ['token-revoked', ''],
    ]);
    expect(own.every(({ actor }) => actor === 'shell')).toBe(true);
    expect(JSON.stringify(own)).not.toContain('Secret name');
    expect(JSON.stringify(own)).not.toContain(token);
  });
});

describe('datadeck token create', () => {
  const words = ['--name', 'Design team', '--scope', 'board', '--rows', '500'];

  async function createBoard(): Promise<[user: Client, accountId: string, boardId: string]> {
    const user = await new Client(server).signIn('ada.nowak@sandbox.example');
    const { _id: accountId } = await user.get<{ _id: string }>('/api/accounts');
    const tiles = [{ id: 'a', kind: 'text', width: 12, height: 1, text: 'Hello' }];
    const board = await user.post<{ _id: string }>('/api/data/boards', { title: 'Team', tiles });
    return [user, accountId, board._id];
  }

  it('prints the link to a board beside the token, which alone is on standard output', async () => {
    const [user, accountId, boardId] = await createBoard();
    const { DATABASE_URL = '', DATA_DIR } = server.config;
    const env = { DATABASE_URL, DATA_DIR, PUBLIC_URL: 'https://data.example.org' };
    const { stdout, stderr } = await runCommand(
      ['token', 'create', accountId, ...words, '--board', boardId],
      env,
    );
    expect(stdout).toMatch(/^ddt_\S+\n$/);
    const [, share, secret] = /^https:\/\/data\.example\.org\/share\/([^#]+)#(.+)$/m.exec(stderr) ?? [];
    expect((await user.call('POST', '/api/share/sessions', { share, secret })).status).toBe(201);
    const tokens = await user.get<ApiToken[]>('/api/accounts/tokens');
    expect(tokens).toMatchObject([{ name: 'Design team', scope: 'board', boardId, rowBudget: 500 }]);
  });

  it('refuses an unknown board, and every board while sharing is off', async () => {
    const [, accountId, boardId] = await createBoard();
    const { DATABASE_URL = '', DATA_DIR } = server.config;
    const create = (id: string, env = {}) =>
      runCommand(['token', 'create', accountId, ...words, '--board', id], { DATABASE_URL, DATA_DIR, ...env });
    expect(await create(crypto.randomUUID())).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^This board /),
    });
    expect(await create(boardId, { SHARING: 'off' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/SHARING=off/),
    });
  });
});
