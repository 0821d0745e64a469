import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer } from '../test-support/child-server.ts';
import { shareServer } from '../test-support/shared-server.ts';
import type { TestServer } from '../test-support/test-server.ts';
import { findOrCreateUser, findUser, type User } from './features/accounts/index.ts';

let server: TestServer;
let command: ChildServer;

beforeAll(async () => {
  server = await shareServer();
  const { DATABASE_URL = '', DATA_DIR } = server.config;
  command = new ChildServer({ DATABASE_URL, DATA_DIR });
});
afterAll(() => server?.remove());

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
    await command.admin('plan', 'One@Mail.example', 'pro');
    expect(await planOf(user)).toBe('pro');
  });

  it('refuses an address that two accounts have, and lists their ids', async () => {
    const real = await createUser('real', 'two@mail.example');
    const impostor = await createUser('impostor', 'TWO@mail.example');
    const refused = command.admin('plan', 'two@mail.example', 'pro');
    await expect(refused).rejects.toThrow(/2 accounts have the e-mail address/);
    await expect(refused).rejects.toThrow(real.id);
    await expect(refused).rejects.toThrow(impostor.id);
    expect([await planOf(real), await planOf(impostor)]).toEqual(['standard', 'standard']);
    await command.admin('plan', real.id, 'pro');
    expect([await planOf(real), await planOf(impostor)]).toEqual(['pro', 'standard']);
  });

  it('reports an unknown address or account id', async () => {
    await expect(command.admin('plan', 'nobody@mail.example', 'pro')).rejects.toThrow('There is no account');
    await expect(command.admin('plan', crypto.randomUUID(), 'pro')).rejects.toThrow('There is no account');
  });

  it('refuses to change demo users', async () => {
    await fetch(`${server.url}/auth/demo`);
    await expect(command.admin('plan', 'demo@datadeck.example', 'pro')).rejects.toThrow('no account');
  });
});

describe('datadeck users', () => {
  it('escapes names and addresses', async () => {
    await createUser('escape', 'x\u001b]0;@mail.example', 'A"\u001b[2J\u202eda\nroot  pro');
    const printed = await command.admin('users');
    expect(printed).toContain(String.raw`x\u{1b}]0;@mail.example  "A\"\u001b[2J\u{202e}da\nroot  pro"`);
    expect(printed).not.toContain('\u001b');
  });
});
