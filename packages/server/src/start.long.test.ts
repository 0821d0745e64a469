import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Provider } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer } from '../test-support/child-server.ts';
import { databaseFolder, makeTemporaryFolder, removeDataFolder } from '../test-support/temporary-folder.ts';
import { Client } from '../test-support/test-server.ts';
import { findFreePort } from './app/http/listen.ts';

let folder: string;

beforeAll(() => {
  folder = makeTemporaryFolder('datadeck start ');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a start that must fail. @returns its output */
async function refusal(environment: Record<string, string>): Promise<string> {
  const server = new ChildServer({
    DATA_DIR: join(folder, 'refused'),
    PORT: '0',
    SANDBOX: 'on',
    ...environment,
  });
  const outcome = await server.start().then(
    () => 'it started',
    () => server.output,
  );
  await server.end('SIGKILL');
  return outcome;
}

describe('a failed start', () => {
  it.each([
    [{ HOST: 'nowhere.invalid' }, /HOST=nowhere\.invalid is not an address of this machine/],
    [
      { DATABASE_URL: 'mysql://u:secret@h/d' },
      /DATABASE_URL=\(hidden\) is not valid; expected a postgres:\/\/ URL/,
    ],
    [{ ENCRYPTION_KEY: 'short' }, /ENCRYPTION_KEY is not valid; expected 32 bytes/],
    [
      { DATA_DIR: '/dev/null/data' },
      /The data folder \/dev\/null\/data cannot be (created|written).*Set DATA_DIR/s,
    ],
    [
      { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d' },
      /The database cannot be used: .*ECONNREFUSED.*Check DATABASE_URL/s,
    ],
  ])('reports the invalid setting and what to do: %j', async (environment, message) => {
    const output = await refusal(environment);
    expect(output).toMatch(message);
    expect(output).not.toMatch(/secret@|hunter2|\n\s+at /);
  });

  it('reports a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    expect(await refusal({ PORT: String(port) })).toContain(`Port ${port} is in use by another program`);
    other.close();
  });
});

describe('npm run admin', () => {
  it('creates no database in an empty data folder', async () => {
    const data = join(folder, 'mistyped');
    await expect(new ChildServer({ DATA_DIR: data }).admin('users')).rejects.toThrow(
      'There is no database in',
    );
    expect(existsSync(data)).toBe(false);
  });
});

describe('a data folder', () => {
  it('survives SIGKILL of its processes and serves one Datadeck at a time', async () => {
    const data = join(folder, 'kept');
    const environment = { DATA_DIR: data, PORT: String(await findFreePort('127.0.0.1')), SANDBOX: 'on' };
    const server = new ChildServer(environment);
    await server.start();
    const ada = await new Client(server).signIn('ada.nowak@sandbox.example');
    await ada.post('/api/data/jnata-queries', { title: 'kept', jsonNataQuery: '$' });

    expect(await refusal({ DATA_DIR: data, PORT: '0' })).toMatch(
      /is in use by a running Datadeck \(process \d+\)/,
    );
    expect(statSync(join(data, 'encryption.key')).mode & 0o777).toBe(0o600);

    server.killDatabase();
    await server.end('SIGKILL');
    await server.start();
    expect(await ada.get('/api/data/jnata-queries')).toMatchObject([{ title: 'kept' }]);
    expect(await server.end('SIGTERM')).toBe(0);
    await server.start();
    // Many concurrent requests open many connections; the stop reports none of them as lost.
    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.get('/api/data/jnata-queries')));
    for (const answer of answers) expect(answer).toMatchObject([{ title: 'kept' }]);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.output).not.toContain('"level"');
  });

  it('becomes available again after its database is killed', async () => {
    const environment = {
      DATA_DIR: join(folder, 'revived'),
      PORT: String(await findFreePort('127.0.0.1')),
      SANDBOX: 'on',
    };
    const server = new ChildServer(environment);
    await server.start();
    const ada = await new Client(server).signIn('ada.nowak@sandbox.example');
    server.killDatabase();
    const answer = await ada.call('GET', '/api/accounts');
    if (!answer.ok) expect(await answer.json()).toMatchObject({ error: { code: 'unavailable' } });
    await expect
      .poll(async () => (await ada.call('GET', '/api/accounts')).status, { timeout: 60_000, interval: 200 })
      .toBe(200);
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it('keeps its data when it is started with another encryption key', async () => {
    const data = join(folder, 'sealed');
    const environment = { DATA_DIR: data, PORT: String(await findFreePort('127.0.0.1')), SANDBOX: 'on' };
    const server = new ChildServer(environment);
    await server.start();
    const ada = await new Client(server).signIn('ada.nowak@sandbox.example');
    await ada.connect('github', 'ada-nowak');
    await server.end('SIGTERM');

    const other = { DATA_DIR: data, ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') };
    // As after a restore without the key: the refused start writes no other key in its place.
    const keyFile = join(data, 'encryption.key');
    const kept = readFileSync(keyFile);
    rmSync(keyFile);
    expect(await refusal({ DATA_DIR: data })).toMatch(/did not start.*is missing in ENCRYPTION_KEY/s);
    await expect(server.admin('renew-encryption')).rejects.toThrow('is missing in ENCRYPTION_KEY');
    expect(existsSync(keyFile)).toBe(false);
    writeFileSync(keyFile, kept, { mode: 0o600 });

    const output = await refusal(other);
    expect(output).toMatch(/did not start.*Set ENCRYPTION_KEY to the previous key.*after a comma/s);
    expect(output).not.toMatch(/\n\s+at /);
    const own = readFileSync(join(data, 'encryption.key'), 'utf8').trim();
    const rotated = new ChildServer({
      ...environment,
      ENCRYPTION_KEY: `${other.ENCRYPTION_KEY},${own}`,
    });
    await rotated.start();
    const stateOf = async () =>
      (await ada.get<Provider[]>('/api/integrations/providers')).find(({ key }) => key === 'github')
        ?.connection?.status;
    expect(await stateOf()).toBe('connected');
    await ada.call('PUT', '/api/notifications/webhook', { url: 'http://127.0.0.1:1/' });
    await rotated.end('SIGTERM');

    // Returns to the key in the data folder, with which the webhook was never encrypted.
    const back = new ChildServer({ ...environment, ENCRYPTION_KEY: `${own},${other.ENCRYPTION_KEY}` });
    await back.admin('renew-encryption');
    await server.admin('forget-tokens');
    await server.start();
    expect(await stateOf()).toBe('connected');
    expect(await ada.get('/api/notifications/webhook')).toMatchObject({ url: 'http://127.0.0.1:1/' });
    await server.end('SIGTERM');
    const next = new ChildServer({ ...environment, ENCRYPTION_KEY: `${other.ENCRYPTION_KEY},${own}` });
    await next.admin('renew-encryption');
    const alone = new ChildServer({ ...environment, ...other });
    await alone.start();
    expect(await stateOf()).toBe('connected');
    expect(await ada.get('/api/notifications/webhook')).toMatchObject({ url: 'http://127.0.0.1:1/' });
    await alone.end('SIGTERM');
    const lost = new ChildServer({ ...environment, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('hex') });
    await lost.admin('forget-tokens');
    await lost.start();
    expect(await stateOf()).toBe('reconnect-needed');
    await lost.end('SIGTERM');
  });

  it.runIf(process.platform === 'linux')(
    'has no database process left after a stop that takes too long',
    async () => {
      const data = join(folder, 'stuck');
      const environment = { DATA_DIR: data, PORT: String(await findFreePort('127.0.0.1')), SANDBOX: 'on' };
      const server = new ChildServer(environment);
      await server.start();
      const { databasePid } = server;

      // From now on every query waits forever.
      const children = readFileSync(`/proc/${databasePid}/task/${databasePid}/children`, 'utf8').trim();
      for (const pid of children.split(' ')) process.kill(Number(pid), 'SIGSTOP');
      expect(await server.end('SIGTERM')).toBe(1);

      // The stop kills processes that do not react within five seconds.
      await expect.poll(() => existsSync(`/proc/${databasePid}`), { timeout: 60_000 }).toBe(false);
      await server.start();
      expect(await server.end('SIGTERM')).toBe(0);
    },
    180_000,
  );

  it('is created by one of two concurrent starts; the other one is refused', async () => {
    const data = join(folder, 'contested');
    const ports = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
    const servers = ports.map(
      (port) => new ChildServer({ DATA_DIR: data, PORT: String(port), SANDBOX: 'on' }),
    );

    const outcomes = await Promise.allSettled(servers.map((server) => server.start()));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(servers.map(({ output }) => output).join()).toContain('is in use by a running Datadeck');

    for (const server of servers) await server.end('SIGTERM');
    expect(readdirSync(join(data, 'postgres')).filter((name) => name.includes('partial'))).toEqual([]);
    await servers[0]?.start();
    expect(await servers[0]?.end('SIGTERM')).toBe(0);
  });

  it.runIf(process.getuid?.() === 0)(
    'is opened by root when another user or root owns its files',
    async () => {
      const data = join(folder, 'copied');
      const environment = { DATA_DIR: data, PORT: String(await findFreePort('127.0.0.1')), SANDBOX: 'on' };
      const cluster = join(data, 'postgres', 'cluster');
      const server = new ChildServer(environment);
      for (const owner of [undefined, 0, 1234]) {
        if (owner !== undefined) execFileSync('chown', ['-R', `${owner}:${owner}`, data]);
        await server.start();
        expect(await server.end('SIGTERM')).toBe(0);
        expect(statSync(join(cluster, 'PG_VERSION')).uid).toBe(statSync(cluster).uid);
      }
      expect(statSync(cluster).uid).toBe(1234);
    },
  );

  it.runIf(process.getuid?.() === 0)(
    'is not created again when its database elsewhere is missing',
    async () => {
      const data = join(folder, 'moved');
      mkdirSync(data, { mode: 0o700 });
      writeFileSync(join(data, 'postgres.location'), '/var/lib/datadeck/gone\n');
      expect(await refusal({ DATA_DIR: data })).toMatch(/is in \/var\/lib\/datadeck\/gone.* is missing/s);
      expect(existsSync('/var/lib/datadeck/gone')).toBe(false);
    },
  );

  it('is created again when its creation was interrupted', async () => {
    const data = join(folder, 'interrupted');
    const environment = { DATA_DIR: data, PORT: String(await findFreePort('127.0.0.1')), SANDBOX: 'on' };
    const first = new ChildServer(environment);
    await first.start();
    await first.end('SIGTERM');

    rmSync(join(data, 'postgres', 'cluster', 'datadeck-initialised'));
    writeFileSync(join(data, 'postgres', 'cluster', 'PG_VERSION'), '');

    const second = new ChildServer(environment);
    await second.start();
    expect(await second.end('SIGTERM')).toBe(0);
  });

  it.runIf(process.getuid?.() === 0)(
    'has its database elsewhere when the database user cannot enter it',
    async () => {
      const home = join(folder, 'private');
      mkdirSync(home);
      chmodSync(home, 0o700);
      const environment = {
        DATA_DIR: join(home, 'data'),
        PORT: String(await findFreePort('127.0.0.1')),
        SANDBOX: 'on',
      };
      const server = new ChildServer(environment);
      await server.start();

      expect(existsSync(join(home, 'data', 'postgres'))).toBe(false);
      expect(databaseFolder(environment.DATA_DIR)).toMatch(/^\/var\/lib\/datadeck\//);

      const ada = await new Client(server).signIn('ada.nowak@sandbox.example');
      await server.end('SIGTERM');
      await server.start();
      expect(await ada.get('/api/accounts')).toMatchObject({ name: 'Ada Nowak' });
      await server.end('SIGTERM');
      removeDataFolder(environment.DATA_DIR);
    },
  );
});
