import { createConnection, type Socket } from 'node:net';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTemporaryFolder, removeDataFolder } from '../../../test-support/temporary-folder.ts';
import { withConnection } from '../../../test-support/with-connection.ts';
import { findFreePort } from '../../app/http/listen.ts';
import { canConnect, type EmbeddedPostgres, startEmbeddedPostgres } from './launcher.ts';
import { listenForSql } from './sql-listener.ts';

let folder: string;
let postgres: EmbeddedPostgres;
let listen: { host: string; port: number };
let stopListening: () => Promise<void>;

const reader = { user: 'reader', password: 'secret' };

const connect = (options: pg.ClientConfig) =>
  withConnection(
    { ...listen, ...options },
    async (client) => (await client.query('select session_user as name')).rows,
  );

const startListening = () =>
  listenForSql({
    ...listen,
    socket: `${postgres.connection.host}/.s.PGSQL.${postgres.connection.port}`,
    database: 'datadeck',
    refusedUser: 'datadeck',
  });

beforeAll(async () => {
  folder = makeTemporaryFolder('datadeck-listen-');
  listen = { host: '127.0.0.1', port: await findFreePort('127.0.0.1') };
  postgres = await startEmbeddedPostgres(folder);
  stopListening = await startListening();
  await withConnection(postgres.connection, (client) =>
    client.query("create role reader login password 'secret'"),
  );
});
afterAll(async () => {
  await stopListening?.();
  await postgres?.stop();
  removeDataFolder(folder);
});

it('accepts other roles at the address, to the database of the product alone', async () => {
  expect(await connect({ ...reader, database: 'datadeck' })).toEqual([{ name: 'reader' }]);
  await expect(connect({ ...reader, database: 'datadeck', password: 'wrong' })).rejects.toThrow('password');
  for (const database of ['postgres', 'template1', 'reader'])
    await expect(connect({ ...reader, database })).rejects.toThrow('to the database datadeck');
  const bySocket = { ...postgres.connection, ...reader };
  for (const database of ['postgres', 'template1'])
    await expect(connect({ ...bySocket, database })).rejects.toThrow('permission denied');
});

it('refuses the role of the product at the address', async () => {
  const { user, password } = postgres.connection as pg.ClientConfig;
  await expect(connect({ user, password, database: 'datadeck' })).rejects.toThrow('sql-access alone');
});

it('cancels statements, and refuses an address that is taken', async () => {
  await withConnection({ ...listen, ...reader, database: 'datadeck' }, async (client) => {
    const failed = client.query('select pg_sleep(30)').catch((error: Error) => error.message);
    const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
    const message = Buffer.alloc(16);
    for (const [at, value] of [16, 80_877_102, processID, secretKey].entries())
      message.writeInt32BE(value | 0, at * 4);
    const cancel = createConnection(listen.port, listen.host).on('error', () => undefined);
    cancel.end(message);
    expect(await failed).toContain('canceling statement');
  });
  await expect(startListening()).rejects.toThrow(/SQL_LISTEN=127.0.0.1:\d+ cannot be used \(.*EADDRINUSE/);
});

it.each<[string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['part of a greeting', Buffer.from([0, 0, 0, 80, 0, 3])],
  ['many requests of encryption', Buffer.from('0000000804d2162f', 'hex')],
  ['a role, and then no password', Buffer.from('0000002b00030000', 'hex')],
  ['other bytes', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
])('leaves the product its connections while 400 clients send %s', async (what, bytes) => {
  const greeting = Buffer.from('user\0reader\0database\0datadeck\0\0');
  const first = what.startsWith('a role') ? Buffer.concat([bytes, greeting]) : bytes;
  if (what.startsWith('a role')) first.writeInt32BE(first.length, 0);
  const clients: Socket[] = Array.from({ length: 400 }, () => {
    const client = createConnection(listen.port, listen.host).on('error', () => undefined);
    for (let n = 0; n < (what.startsWith('many') ? 5 : 1); n++) if (first.length > 0) client.write(first);
    return client;
  });
  try {
    for (let n = 0; n < 5; n++) expect(await canConnect(postgres.connection)).toBe(true);
  } finally {
    for (const client of clients) client.destroy();
  }
  await expect
    .poll(() => connect({ ...reader, database: 'datadeck' }).catch(() => undefined), { timeout: 30_000 })
    .toEqual([{ name: 'reader' }]);
});

it('listens nowhere after it was stopped', async () => {
  await stopListening();
  await expect(connect({ ...reader, database: 'datadeck' })).rejects.toThrow('ECONNREFUSED');
  expect(await canConnect(postgres.connection)).toBe(true);
  stopListening = await startListening();
});
