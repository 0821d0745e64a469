import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputOf } from '../test-support/run-command.ts';
import { shareServer } from '../test-support/shared-server.ts';
import { Client, type TestServer } from '../test-support/test-server.ts';
import { findOrCreateUser, findUser, type User } from './features/accounts/index.ts';

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
