import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newUser } from '../../test-support/new-user.ts';
import { outputOf, runCommand } from '../../test-support/run-command.ts';
import { stateOf } from '../../test-support/sql-state.ts';
import { createDatabase, type TestDatabase } from '../../test-support/test-database.ts';
import { startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { withConnection } from '../../test-support/with-connection.ts';
import { endSqlTransactions, guardSqlRoles, listMissingRestrictions } from '../features/sql-access/index.ts';
import { queryableOf } from '../platform/db/database.ts';
import { migrateDatabase } from '../platform/db/migrate.ts';

let database: TestDatabase;
let server: TestServer;
/** Connection of a role. */
let session: pg.Client;
let address: string;
let role: string;
let settings: Record<string, string>;

const admin = (statement: string) => server.product.context.db.$client.query(statement);

const refusalOf = (statement: string) => stateOf(session, statement);

/** Opens a session of the role, which the product may end. */
async function openSession(): Promise<{ client: pg.Client; ended: Promise<Error> }> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  return { client, ended: new Promise<Error>((resolve) => client.on('error', resolve)) };
}

beforeAll(async () => {
  database = await createDatabase();
  const direct = database.directUrl ?? database.url;
  server = await startTestServer({ DATABASE_URL: direct });
  await newUser(server, 'ada');
  settings = { DATABASE_URL: direct, DATA_DIR: server.config.DATA_DIR };
  address = (await outputOf(['sql-access', 'create', 'ada@test.example', '--name', 'x'], settings)).trim();
  role = new URL(address).username;
  await admin('revoke usage on language plpgsql from public');
  ({ client: session } = await openSession());
});
afterAll(async () => {
  await session?.end().catch(() => undefined);
  if (role) await admin(`drop role if exists ${role}`);
  await server?.remove();
  await database?.drop();
});

describe('a SQL role', () => {
  it.each([
    "do $$ begin raise warning 'x'; end $$",
    "set log_min_messages = 'debug5'",
    "set log_min_error_statement = 'debug5'",
    "set temp_file_limit = '-1'",
    "set log_statement = 'all'",
    'set log_min_duration_statement = 0',
  ])('cannot fill the log or the disk: %s', async (statement) => {
    expect(await refusalOf(statement)).toBe('42501');
    expect(
      await refusalOf(`alter role current_user ${statement.startsWith('set') ? statement : 'superuser'}`),
    ).toMatch(/^(42501|25006)$/);
  });

  it('has its limits in each session, and temporary files up to them', async () => {
    for (const [name, value] of [
      ['log_min_messages', 'fatal'],
      ['log_min_error_statement', 'panic'],
      ['temp_file_limit', '200MB'],
    ])
      expect((await session.query(`show ${name}`)).rows[0]).toEqual({ [name as string]: value });
    const sorted =
      "select count(*) from (select md5(n::text) || repeat('x', 400) as t from generate_series(1, 900000) n order by 1 offset 1) s";
    expect(await refusalOf(sorted)).toBe('53400');
  });

  it('that changes its password gets it back, and loses its sessions', async () => {
    const { context } = server.product;
    const { client, ended } = await openSession();
    await client.query('set default_transaction_read_only = off');
    await client.query(`alter role ${role} password 'mine'`);
    const changed = new URL(address);
    changed.password = 'mine';
    await withConnection({ connectionString: changed.href }, async () => undefined);

    await guardSqlRoles(context);

    expect((await ended).message).toMatch(/terminat/);
    await expect(withConnection({ connectionString: changed.href }, async () => undefined)).rejects.toThrow(
      'password',
    );
    ({ client: session } = await openSession());
    await guardSqlRoles(context);
    await session.query('select 1');
  });

  it('of an earlier version gets the limits', async () => {
    const { context } = server.product;
    for (const name of ['log_min_messages', 'log_min_error_statement', 'temp_file_limit'])
      await admin(`alter role ${role} reset ${name}`);
    await admin('update sql_roles set verifier = null');
    expect(await listMissingRestrictions(context.db)).toHaveLength(3);
    await guardSqlRoles(context);
    expect(await listMissingRestrictions(context.db)).toEqual([]);
    expect((await admin('select verifier from sql_roles')).rows[0].verifier).toMatch(/^SCRAM-SHA-256\$/);
  });

  it('without limits, or with another password, is named by doctor with what to run', async () => {
    const doctor = async () => (await runCommand(['doctor'], settings)).stdout;
    expect(await doctor()).not.toContain('SQL roles can fill the disk');
    await admin(`alter role ${role} reset temp_file_limit`);
    await admin(`alter role ${role} password 'other'`);
    const found = await doctor();
    expect(found).toContain(`alter role ${role} set temp_file_limit = '200MB'`);
    expect(found).toContain(`SQL roles have changed their passwords: ${role}.`);
    await guardSqlRoles(server.product.context);
    expect(await doctor()).not.toMatch(/SQL roles (can fill|have changed)/);
    ({ client: session } = await openSession());
  });

  it('does not hold up a start by an open transaction', async () => {
    const { client, ended } = await openSession();
    await client.query('set idle_in_transaction_session_timeout = 0; begin; select from gh_pulls');
    const pool = new pg.Pool({ connectionString: database.directUrl ?? database.url, max: 1 });
    const onWait = vi.fn();
    try {
      await migrateDatabase(
        pool,
        async (changing) => {
          await changing.query('lock table datadeck_sql.gh_pulls in access exclusive mode').catch((error) => {
            if (error.code !== '25P01') throw error;
          });
          await changing.query('begin; lock table datadeck_sql.gh_pulls in access exclusive mode; commit');
        },
        { makeWay: (changing) => endSqlTransactions(queryableOf(changing)), onWait },
      );
    } finally {
      await pool.end();
    }
    expect((await ended).message).toMatch(/terminat/);
    expect(onWait).not.toHaveBeenCalled();
  });

  it('and a start reports each 5 s that it waits for another session', async () => {
    const url = database.directUrl ?? database.url;
    const holder = new pg.Client({ connectionString: url, application_name: 'pg_dump' });
    await holder.connect();
    await holder.query('begin; lock table public.sql_roles');
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const waits: [number, string][] = [];
    try {
      await migrateDatabase(
        pool,
        async (changing) => {
          await changing.query('begin');
          try {
            await changing.query('lock table public.sql_roles in access exclusive mode');
          } finally {
            await changing.query('rollback');
          }
        },
        {
          onWait: (...wait) => {
            waits.push(wait);
            void holder.query('rollback');
          },
        },
      );
    } finally {
      await Promise.all([pool.end(), holder.end()]);
    }
    expect(waits).toHaveLength(1);
    expect(waits[0]?.[0]).toBeGreaterThanOrEqual(5);
    expect(waits[0]?.[1]).toMatch(/process \d+ pg_dump$/);
  });
});
