import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, removeDataFolder } from '../test-support/temporary-folder.ts';
import { createEmptyDatabase, type TestDatabase } from '../test-support/test-database.ts';
import { startTestServer } from '../test-support/test-server.ts';
import { StartError } from './platform/start-error.ts';

/** A user of the database server who owns nothing. */
const STRANGER = `stranger_${process.pid}`;

let database: TestDatabase;
let folder: string;
/** A server that is no PostgreSQL. */
let other: Server;

const direct = () => database.directUrl ?? database.url;

async function execute(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: direct() });
  await client.connect();
  await client.query(statement);
  await client.end();
}

beforeAll(async () => {
  database = await createEmptyDatabase();
  await execute(`create role ${STRANGER} login password 'hunter2'`);
  folder = makeTemporaryFolder('datadeck-wrong-');
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'keyed'));
  writeFileSync(join(folder, 'keyed/encryption.key'), 'hunter2');
  other = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
});
afterAll(async () => {
  other?.close();
  await execute(`drop role ${STRANGER}`);
  await database?.drop();
  removeDataFolder(folder);
});

const otherPort = () => String((other.address() as AddressInfo).port);
/** Returns the address of the database with other parts. */
const address = (parts: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>) =>
  Object.assign(new URL(direct()), parts).href;

describe('a start', () => {
  it.each<[string, () => Record<string, string>, RegExp]>([
    [
      'a database that does not answer',
      () => ({ DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d' }),
      /^The database cannot be used: connect ECONNREFUSED .* Check DATABASE_URL, and that the server runs/,
    ],
    [
      'a database on an unknown host',
      () => ({ DATABASE_URL: 'postgres://u:hunter2@host.invalid/d' }),
      /^The database cannot be used: .*host\.invalid\. Check DATABASE_URL/,
    ],
    [
      'a database server that is none',
      () => ({ DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${otherPort()}/d` }),
      /^The database cannot be used: .* Check DATABASE_URL/,
    ],
    [
      'a missing database',
      () => ({ DATABASE_URL: address({ pathname: 'missing' }) }),
      /^The database cannot be used: database "missing" does not exist\. Create the database .* or correct its name/,
    ],
    [
      'an unknown user',
      () => ({ DATABASE_URL: address({ username: 'nobody', password: 'hunter2' }) }),
      /^The database cannot be used: .*"nobody".* Correct the user/,
    ],
    [
      'a user without rights',
      () => ({ DATABASE_URL: address({ username: STRANGER, password: 'hunter2' }) }),
      /^The database cannot be used: permission denied .* owner of the database: alter database NAME owner to USER/,
    ],
    [
      'a direct address of another database',
      () => ({ DATABASE_URL: direct(), DATABASE_DIRECT_URL: address({ pathname: 'postgres' }) }),
      /lead to different databases or servers\. Set DATABASE_DIRECT_URL to the database/,
    ],
    [
      'a data folder that is a file',
      () => ({ DATABASE_URL: direct(), DATA_DIR: join(folder, 'file') }),
      /^The data folder .*file cannot be created .* Set DATA_DIR to a folder/,
    ],
    [
      'a stored key that is none',
      () => ({ DATABASE_URL: direct(), DATA_DIR: join(folder, 'keyed') }),
      /^The file .*encryption\.key holds no valid key\. Put back the key file from a backup/,
    ],
    [
      'a host of another machine',
      () => ({ DATABASE_URL: direct(), HOST: '203.0.113.5', PORT: '39001' }),
      /^HOST=203\.0\.113\.5 is not an address of this machine\. Use 127\.0\.0\.1/,
    ],
    [
      'a port in use',
      () => ({ DATABASE_URL: direct(), PORT: otherPort() }),
      /^Port \d+ is in use by another program\. Stop it, or start Datadeck with another one/,
    ],
  ])('is refused with what to do: %s', async (_what, settings, message) => {
    const refused = startTestServer(settings());
    await expect(refused).rejects.toBeInstanceOf(StartError);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow(/hunter2/);
  });
});
