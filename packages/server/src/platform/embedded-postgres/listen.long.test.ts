import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTemporaryFolder, removeDataFolder } from '../../../test-support/temporary-folder.ts';
import { withConnection } from '../../../test-support/with-connection.ts';
import { findFreePort } from '../../app/http/listen.ts';
import { type EmbeddedPostgres, findRunningPostgres, startEmbeddedPostgres } from './launcher.ts';

let folder: string;
let postgres: EmbeddedPostgres;
let listen: { host: string; port: number };

const connect = (options: pg.ClientConfig) =>
  withConnection(
    { ...listen, ...options },
    async (client) => (await client.query('select session_user as name')).rows,
  );

beforeAll(async () => {
  folder = makeTemporaryFolder('datadeck-listen-');
  listen = { host: '127.0.0.1', port: await findFreePort('127.0.0.1') };
  postgres = await startEmbeddedPostgres(folder, { listen });
  await withConnection(postgres.connection, (client) =>
    client.query("create role reader login password 'secret'"),
  );
});
afterAll(async () => {
  await postgres?.stop();
  removeDataFolder(folder);
});

// @covers sql.listen
it('accepts other roles at the address, to the database of the product alone', async () => {
  const reader = { user: 'reader', password: 'secret' };
  expect(await connect({ ...reader, database: 'datadeck' })).toEqual([{ name: 'reader' }]);
  await expect(connect({ ...reader, database: 'datadeck', password: 'wrong' })).rejects.toThrow('password');
  await expect(connect({ ...reader, database: 'postgres' })).rejects.toThrow('pg_hba.conf');
  const bySocket = { ...postgres.connection, ...reader };
  for (const database of ['postgres', 'template1'])
    await expect(connect({ ...bySocket, database })).rejects.toThrow('permission denied');
});

// @covers sql.listen
it('refuses the role of the product at the address, which commands reach by the socket', async () => {
  const { user, password } = postgres.connection as pg.ClientConfig;
  await expect(connect({ user, password, database: 'datadeck' })).rejects.toThrow('pg_hba.conf rejects');
  expect(await connect({ ...(await findRunningPostgres(folder)) })).toEqual([{ name: 'datadeck' }]);
});

// @covers sql.listen
it('listens nowhere without the setting', async () => {
  await postgres.stop();
  postgres = await startEmbeddedPostgres(folder);
  await expect(connect({ user: 'reader', password: 'secret', database: 'datadeck' })).rejects.toThrow(
    'ECONNREFUSED',
  );
  expect(await connect(postgres.connection)).toEqual([{ name: 'datadeck' }]);
});
