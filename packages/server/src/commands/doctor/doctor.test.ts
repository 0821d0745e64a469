import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer } from '../../../test-support/child-server.ts';
import { runCommand } from '../../../test-support/run-command.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import type { TestServer } from '../../../test-support/test-server.ts';
import { ticketDocument } from '../../../test-support/ticket-service.ts';
import { skewOf } from '../../app/doctor/clock.ts';
import { findOrCreateUser } from '../../features/accounts/index.ts';

let server: TestServer;
/** A provider whose clock is an hour late. */
let late: Server;

beforeAll(async () => {
  server = await shareServer();
  late = createServer((_request, response) => {
    response.writeHead(200, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end();
  }).listen(0, '127.0.0.1');
});
afterAll(async () => {
  late?.close();
  await server?.remove();
});

function ownSettings() {
  const { DATABASE_URL = '', DATA_DIR } = server.config;
  return { DATABASE_URL, DATA_DIR, PORT: new URL(server.url).port, SANDBOX: 'on' };
}

/** Runs `datadeck doctor` with settings. @returns its output and whether it reports a problem */
async function runDoctor(settings: Record<string, string> = {}): Promise<{ output: string; fails: boolean }> {
  const { code, stdout } = await runCommand(['doctor'], { ...ownSettings(), ...settings });
  return { output: stdout, fails: code !== 0 };
}

describe('datadeck doctor', () => {
  it('finds no problem in an installation that works', async () => {
    // As a process, which must also end. It rejects for another exit code than 0.
    const output = await new ChildServer(ownSettings()).admin('doctor');
    expect(output).toMatch(/The database is PostgreSQL \d+/);
    expect(output).toContain('The tables are those of this version.');
    expect(output).toContain(`Datadeck runs at ${server.url}.`);
    expect(output).not.toMatch(/WARNING|PROBLEM/);
    expect(await runDoctor()).toMatchObject({ fails: false });
  });

  it.each([
    ['a wrong setting', { PORT: 'x' }, /PROBLEM .*PORT="x" is not valid.*Correct the settings/s],
    [
      'a recipient of backups with a typing error',
      { BACKUP_RECIPIENT: `age1${'q'.repeat(58)}` },
      /PROBLEM {2}BACKUP_RECIPIENT=age1q+ is not valid: it has a typing error\./,
    ],
    [
      'a database that does not answer',
      { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d' },
      /PROBLEM {2}The database cannot be used: .*ECONNREFUSED.*\n +Check DATABASE_URL/,
    ],
    [
      'a data folder that cannot be written',
      { DATA_DIR: '/proc/datadeck', ENCRYPTION_KEY: Buffer.alloc(32, 3).toString('hex') },
      /PROBLEM {2}The data folder \/proc\/datadeck cannot be written|has 0\.0 GB free/,
    ],
    [
      'a missing encryption key',
      { DATA_DIR: join('/tmp', crypto.randomUUID()) },
      /PROBLEM {2}The encryption key .* is missing/,
    ],
    [
      'a provider that does not answer',
      { SANDBOX: 'off', GITHUB_API_URL: 'http://127.0.0.1:2' },
      /PROBLEM {2}GitHub does not answer at http:\/\/127\.0\.0\.1:2: .*ECONNREFUSED.*\n +Check .*network/,
    ],
    [
      'a sign-in provider that does not answer',
      {
        OIDC_PROVIDERS: JSON.stringify([
          {
            key: 'kc',
            title: 'Keycloak',
            issuer: 'http://127.0.0.1:2',
            clientId: 'a',
            clientSecret: 'hunter2',
          },
        ]),
      },
      /PROBLEM {2}Keycloak does not answer at http:\/\/127\.0\.0\.1:2\/.*ECONNREFUSED.*\n +Check .*network/,
    ],
    [
      'a folder of backups that cannot be written',
      { BACKUP_SCHEDULE: '0 3 * * *', BACKUP_FOLDER: '/proc/none' },
      /PROBLEM {2}BACKUP_FOLDER=\/proc\/none cannot be written.*Set it to a folder/,
    ],
    [
      'a file of limits that is missing',
      { PLAN_LIMITS: '/none.json' },
      /PROBLEM {2}PLAN_LIMITS=\/none\.json cannot be read.*Set it to a JSON file/,
    ],
  ])('reports %s and what to do', async (_what, settings, message) => {
    const { output, fails } = await runDoctor(settings);
    expect(output).toMatch(message);
    expect(output).not.toContain('hunter2');
    expect(fails).toBe(true);
  });

  it('reports that no mail server can be connected', async () => {
    const { output } = await runDoctor({ PUBLIC_URL: 'https://datadeck.example.org', SANDBOX: 'off' });
    expect(output).toMatch(/WARNING {2}No mail server can be connected by IMAP.*\n +Set CONNECT_HOSTS to/);
  });

  it('reports a clock that differs from the one of a provider', async () => {
    const { port } = late.address() as AddressInfo;
    const { output, fails } = await runDoctor({
      SANDBOX: 'off',
      GITHUB_API_URL: `http://127.0.0.1:${port}`,
    });
    expect(output).toMatch(/PROBLEM {2}The clocks of this machine and of GitHub differ by (359\d|360\d) s/);
    expect(fails).toBe(true);
  });

  it('knows the entities of connectors of administrators in PLAN_LIMITS, and of no others', async () => {
    const { db } = server.product.context;
    const document = JSON.stringify(ticketDocument('https://desk.example.com'));
    await db.$client.query(`insert into connectors (key, version) values ('helpdesk', 1)`);
    await db.$client.query(
      `insert into connector_versions (connector_key, version, document, stored_names, published_by)
        values ('helpdesk', 1, $1, '{}', gen_random_uuid())`,
      [document],
    );
    const folder = mkdtempSync(join(tmpdir(), 'limits-'));
    const doctorWith = async (entity: string, settings: Record<string, string> = {}) => {
      const file = join(folder, 'limits.json');
      writeFileSync(file, JSON.stringify({ standard: { [entity]: { cap: 10 } } }));
      return runDoctor({ PLAN_LIMITS: file, ...settings });
    };
    const unknown = /PROBLEM {2}PLAN_LIMITS=.* has wrong limits:\n +standard\.helpdesk-other: unknown name/;
    try {
      expect((await doctorWith('helpdesk-tickets')).output).not.toContain('PLAN_LIMITS');
      expect((await doctorWith('helpdesk-other')).output).toMatch(unknown);
      const { output } = await doctorWith('helpdesk-tickets', {
        DATABASE_URL: 'postgres://u@127.0.0.1:1/d',
      });
      expect(output).toMatch(/WARNING {2}PLAN_LIMITS names helpdesk-tickets, which could not be checked/);
    } finally {
      rmSync(folder, { recursive: true });
      await db.$client.query('delete from connectors');
      await db.$client.query('delete from connector_versions');
    }
  });

  it('reports another program at its port', async () => {
    const { port } = late.address() as AddressInfo;
    const { output, fails } = await runDoctor({ PORT: String(port) });
    expect(output).toMatch(/PROBLEM {2}Another program than Datadeck answers at .*\n +Stop it, or set PORT/);
    expect(fails).toBe(true);
  });

  it('reports stored tokens whose key is lost', async () => {
    const { context } = server.product;
    const identity = {
      issuer: 'https://issuer.example',
      subject: 'doctor',
      email: 'd@mail.example',
      name: 'D',
    };
    const user = await findOrCreateUser(context, identity, 'google');
    await context.db.$client.query(
      `insert into connections (id, user_id, provider, subject, account, status, is_shown, credentials)
        values (gen_random_uuid(), $1, 'github', 's', 'a', 'connected', true, '{"key":"lost"}')`,
      [user.id],
    );
    const { output, fails } = await runDoctor();
    expect(output).toMatch(/PROBLEM {2}The stored tokens cannot be decrypted\.\n.*lost/);
    expect(fails).toBe(true);
  });

  it('names an open address without a public one', async () => {
    const { output } = await runDoctor({ HOST: '0.0.0.0' });
    expect(output).toMatch(/WARNING {2}HOST=0\.0\.0\.0 is open to other machines.*\n +Set PUBLIC_URL/);
  });
});

describe('skewOf', () => {
  it('does not count the time of the answer as a difference', () => {
    expect(skewOf(1500, 1000, 9000)).toBe(0);
    expect(skewOf(400, 1000, 9000)).toBe(600);
    expect(skewOf(9700, 1000, 9000)).toBe(700);
  });
});
