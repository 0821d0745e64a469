import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer } from '../../test-support/child-server.ts';
import { newUser } from '../../test-support/new-user.ts';
import { outputOf, runCommand } from '../../test-support/run-command.ts';
import { stateOf } from '../../test-support/sql-state.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../test-support/temporary-folder.ts';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../test-support/test-database.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { withConnection } from '../../test-support/with-connection.ts';
import { endLongSqlSessions } from '../features/sql-access/index.ts';
import { findFreePort } from './http/listen.ts';

/** A value in the records of another user; there are enough of them for the planner's statistics. */
const FOREIGN = 'of-grace';
const OWN_RECORDS = 3;
const FOREIGN_RECORDS = 2000;

let database: TestDatabase;
let server: TestServer;
let settings: { DATABASE_URL: string; DATA_DIR: string };
let graceId: string;
/** Connection of a role of Ada. */
let session: pg.Client;
let address: string;

/** Runs a command of SQL roles. @returns its output */
const sqlAccess = (...words: string[]) => outputOf(['sql-access', ...words], settings);

const admin = (statement: string, values: unknown[] = []) =>
  server.product.context.db.$client.query(statement, values);

async function idOf(name: string): Promise<string> {
  return (await admin('select id from users where name = $1', [name])).rows[0].id;
}

/** Stores pull requests of an account of a user; a hidden account is not shown anywhere. */
async function store(
  userId: string,
  author: string,
  { count, isHidden = false }: { count: number; isHidden?: boolean },
): Promise<void> {
  const id = randomUUID();
  await admin(
    `insert into connections (user_id, id, provider, subject, account, status, is_shown)
    values ($1, $2::uuid, 'github', $2::text, $3, 'disconnected', $4)`,
    [userId, id, `account-${id}`, !isHidden],
  );
  await admin(
    `insert into gh_pulls (user_id, connection_id, id, scopes, occurred_at, hash, extraction, created_sync, changed_sync, author, data)
    select $1, $4, $2 || n, '{}', now(), '', 1, gen_random_uuid(), gen_random_uuid(), $2,
      json_build_object('title', $2::text) from generate_series(1, $3::int) n`,
    [userId, author, count, id],
  );
}

const refusalOf = (statement: string) => stateOf(session, statement);

/** Runs the statements of a message as an administrator of the database: each is a line. */
async function runAdvised(connectionString: string, advice: string): Promise<void> {
  for (const [, statement = ''] of advice.matchAll(/^ {2}(.+);$/gm))
    await withConnection({ connectionString }, (client) => client.query(statement));
}

beforeAll(async () => {
  database = await createDatabase();
  const direct = database.directUrl ?? database.url;
  server = await startTestServer({ DATABASE_URL: direct });
  settings = { DATABASE_URL: direct, DATA_DIR: server.config.DATA_DIR };
  await newUser(server, 'ada');
  await newUser(server, 'grace');
  graceId = await idOf('grace');
  await store(await idOf('ada'), 'of-ada', { count: OWN_RECORDS });
  // The same records in another account, and records of a hidden one.
  await store(await idOf('ada'), 'of-ada', { count: OWN_RECORDS });
  await store(await idOf('ada'), 'hidden', { count: OWN_RECORDS, isHidden: true });
  await store(graceId, FOREIGN, { count: FOREIGN_RECORDS });
  await admin('analyze gh_pulls');
  const created = await runCommand(
    ['sql-access', 'create', 'ada@test.example', '--name', 'Metabase'],
    settings,
  );
  address = created.stdout.trim();
  await runAdvised(direct, created.stderr);
  await sqlAccess('create', 'grace@test.example', '--name', 'psql');
  session = new pg.Client({ connectionString: address });
  await session.connect();
});
afterAll(async () => {
  await session?.end();
  for (const { role } of (await admin('select role from sql_roles')).rows)
    await admin(`drop role if exists ${role}`);
  await server?.remove();
  await database?.drop();
});

describe('a SQL role', () => {
  it('cannot hold a transaction open for long, also after it changed its own limits', async () => {
    const { db } = server.product.context;
    const long = new pg.Client({ connectionString: address });
    await long.connect();
    const failed = new Promise<Error>((resolve) => long.on('error', resolve));
    await long.query('set idle_in_transaction_session_timeout = 0; begin; select from gh_pulls');

    await endLongSqlSessions(db);
    await long.query('select 1');
    await endLongSqlSessions(db, 0);

    expect((await failed).message).toMatch(/terminat/);
    // PostgreSQL lists a session until its process has ended, a moment after the client's connection.
    const open = () =>
      admin(`select from pg_stat_activity where usename = $1 and state = 'idle in transaction'`, [
        new URL(address).username,
      ]);
    await expect.poll(async () => (await open()).rows, { timeout: 30_000 }).toEqual([]);
    await session.query('select 1');
  });

  it('reads the account of each record', async () => {
    const { rows } = await session.query('select distinct account from gh_pulls');
    expect(rows).toEqual([{ account: expect.stringContaining('account-') }]);
  });

  it('reads the records of its own user through a view per entity', async () => {
    const { rows } = await session.query("select author, data->>'title' as title from gh_pulls order by id");
    expect(rows).toEqual(Array.from({ length: OWN_RECORDS }, () => ({ author: 'of-ada', title: 'of-ada' })));
    const { rows: views } = await session.query(
      "select viewname from pg_views where schemaname = 'datadeck_sql'",
    );
    const expected = server.product.registry
      .all()
      .flatMap(({ entities }) => entities.map(({ table }) => table.name));
    expect(views.map(({ viewname }) => viewname).sort()).toEqual(expected.sort());
    for (const view of expected) expect(await refusalOf(`select * from ${view}`), view).toBeUndefined();
  });

  it('reads no row of another user after any SET', async () => {
    const [{ other }] = (await admin('select role as other from sql_roles where user_id = $1', [graceId]))
      .rows;
    const owner = new URL(server.config.DATABASE_URL ?? '').username;
    for (const statement of [
      `set role ${other}`,
      `set role ${owner}`,
      `set session authorization ${other}`,
      `set session authorization ${owner}`,
      `grant ${other} to current_user`,
      `alter role ${other} password 'x'`,
    ])
      expect(await refusalOf(statement), statement).toMatch(/^(42501|25006|42939)$/);
    await session
      .query('set row_security = off; set search_path = public; set session_replication_role = default')
      .catch(() => undefined);
    const { rows } = await session.query('select count(*)::int as n from datadeck_sql.gh_pulls');
    expect(rows).toEqual([{ n: OWN_RECORDS }]);
    await session.query('reset all');
  });

  it('never evaluates a condition that fails or reports on rows of another user', async () => {
    // An error of one of these would name or prove a foreign value.
    for (const condition of [
      `1 / (case when author = '${FOREIGN}' then 0 else 1 end) = 1`,
      `(case when author = '${FOREIGN}' then author else '1' end)::int = 1`,
      "(data->>'title')::text like '%grace%'",
    ]) {
      const { rows } = await session.query(`select id from gh_pulls where ${condition}`);
      expect(rows.length, condition).toBeLessThanOrEqual(OWN_RECORDS);
    }
    expect(await refusalOf(`select from gh_pulls where author::int = 1`)).toBe('22P02');
  });

  it('gets estimates that do not depend on values of other users', async () => {
    const estimateOf = async (author: string) => {
      const { rows } = await session.query(
        `explain (format json) select from gh_pulls where author = '${author}'`,
      );
      return rows[0]['QUERY PLAN'][0].Plan['Plan Rows'];
    };
    expect(await estimateOf(FOREIGN)).toBe(await estimateOf('of-nobody'));
  });

  it('reads no table, statistic, setting, file or large object of the product', async () => {
    for (const table of [
      'gh_pulls',
      'users',
      'sessions',
      'sql_roles',
      'broadcast_channel',
      'connections',
      'search_entries',
    ])
      expect(await refusalOf(`select * from public.${table}`), table).toBe('42501');
    for (const statement of [
      'select * from pg_authid',
      'select * from pg_statistic',
      'select * from pg_largeobject',
      'select * from pg_hba_file_rules',
      "select pg_read_file('PG_VERSION')",
      "select pg_ls_dir('.')",
      "select lo_import('/etc/passwd')",
      'select * from pgboss.job',
      "copy gh_pulls to '/tmp/x'",
      "copy (select 1) to program 'true'",
    ])
      expect(await refusalOf(statement), statement).toBe('42501');
    for (const statement of [
      "select most_common_vals::text from pg_stats where schemaname = 'public'",
      "select most_common_vals::text from pg_stats_ext where schemaname = 'public'",
      "select most_common_vals::text from pg_stats_ext_exprs where schemaname = 'public'",
      `select query from pg_stat_activity where usename <> session_user and query not like '<insufficient%'`,
    ])
      expect((await session.query(statement)).rows, statement).toEqual([]);
    // Nothing that every role may read names a user.
    const { rows } = await session.query(
      `select string_agg(pg_get_viewdef(oid), '') || (select string_agg(rolname || coalesce(shobj_description(oid, 'pg_authid'), ''), '') from pg_roles) as texts from pg_class where relkind = 'v' and relnamespace = 'datadeck_sql'::regnamespace`,
    );
    expect(rows[0].texts).not.toContain(graceId);
  });

  it('writes nothing, also after it has left its read-only mode', async () => {
    expect(await refusalOf('create table x (a int)')).toBe('25006');
    await session.query('set default_transaction_read_only = off');
    for (const statement of [
      'create table x (a int)',
      'create table public.x (a int)',
      'create temporary table x (a int)',
      'create schema x',
      'create function pg_temp.x() returns int language sql as $$ select 1 $$',
      'select lo_create(0)',
      "select lo_from_bytea(0, 'x')",
      'select pg_advisory_lock(7238120)',
      "select pg_notify('datadeck', 'x')",
      "select pg_logical_emit_message(false, 'x', 'y')",
      'delete from public.gh_pulls',
      'do $$ begin lock table public.gh_pulls; end $$',
      'do $$ begin lock table datadeck_sql.gh_pulls in exclusive mode; end $$',
      'create publication x for all tables',
    ])
      expect(await refusalOf(statement), statement).toMatch(/^(42501|3D000|3F000)$/);
    // The views are of the kind into which PostgreSQL cannot write.
    expect(await refusalOf('delete from gh_pulls')).toMatch(/^(42501|55000)$/);
    expect(await refusalOf("update gh_pulls set author = 'x'")).toMatch(/^(42501|55000)$/);
    await session.query('reset all');
  });

  it('does not hear messages between the processes of the product', async () => {
    const { broadcast } = server.product.context;
    const heard: string[] = [];
    session.on('notification', ({ payload = '' }) => heard.push(payload));
    await session.query('listen datadeck; listen datadeck_broadcast');
    const received = new Promise<string>((resolve) => {
      broadcast.subscribe(graceId, resolve);
    });
    await broadcast.publish(graceId, 'for grace');
    expect(await received).toBe('for grace');
    await session.query('select 1');
    expect(heard).toEqual([]);
  });

  it('has limits of time and of sessions', async () => {
    const { rows } = await session.query(
      "select current_setting('statement_timeout') as timeout, rolconnlimit as sessions from pg_roles where rolname = session_user",
    );
    expect(rows).toEqual([{ timeout: '1min', sessions: 5 }]);
  });
});

describe('datadeck sql-access', () => {
  it('lists the roles of one account with their purpose, without the password', async () => {
    const role = new URL(address).username;
    const printed = await sqlAccess('list', 'ada@test.example');
    expect(printed).toMatch(new RegExp(`^${role}  created \\d{4}-\\d\\d-\\d\\d  "Metabase"\\n$`));
    const { rows } = await admin('select rolpassword from pg_authid where rolname = $1', [role]);
    expect(rows[0].rolpassword).toMatch(/^SCRAM-SHA-256\$/);
  });

  it('revokes a role of its own account alone; its sessions end', async () => {
    const url = (await sqlAccess('create', 'ada@test.example', '--name', 'x')).trim();
    const role = new URL(url).username;
    await withConnection({ connectionString: url }, async (open) => {
      open.on('error', () => undefined);
      await expect(sqlAccess('revoke', 'grace@test.example', role)).rejects.toThrow('not');
      expect((await open.query('select from gh_pulls')).rows).toHaveLength(OWN_RECORDS);
      expect(await sqlAccess('revoke', 'ada@test.example', role)).toBe('Revoked.\n');
      await expect(open.query('select from gh_pulls')).rejects.toThrow();
    });
    await expect(withConnection({ connectionString: url }, async () => undefined)).rejects.toThrow(role);
  });

  it('creates at most five roles of an account', async () => {
    await newUser(server, 'mary');
    // Processes, because commands in this one run one after another.
    const create = () =>
      new ChildServer(settings).admin('sql-access', 'create', 'mary@test.example', '--name', 'x');
    await Promise.all(Array.from({ length: 5 }, create));
    await expect(create()).rejects.toThrow('5 SQL roles');
  });

  it('drops the roles of an account with the account', async () => {
    const joan = await newUser(server, 'joan');
    const url = (await sqlAccess('create', 'joan@test.example', '--name', 'x')).trim();
    const role = new URL(url).username;
    expect((await admin('select 1 from pg_roles where rolname = $1', [role])).rowCount).toBe(1);
    await joan.json('DELETE', '/api/accounts/delete-account');
    expect((await admin('select 1 from pg_roles where rolname = $1', [role])).rowCount).toBe(0);
  });
});

describe('datadeck sql-access with a database user who is no superuser', () => {
  const superuser = (statement: string) =>
    withConnection({ connectionString: server.config.DATABASE_URL }, (client) => client.query(statement));
  let own: TestDatabase;
  let ownUrl: string;
  let owned: TestServer;
  let ownCommand: ChildServer;
  const owner = `owner_${process.pid}`;

  /** Runs the command. @returns what it prints for the administrator, and the address */
  async function create(): Promise<{ advice: string; url: string }> {
    const { stdout, stderr } = await ownCommand.run(
      'sql-access',
      'create',
      'ada@test.example',
      '--name',
      'x',
    );
    return { advice: stderr, url: stdout.trim() };
  }

  beforeAll(async () => {
    own = await createEmptyDatabase();
    ownUrl = own.directUrl ?? own.url;
    const url = new URL(ownUrl);
    await superuser(`create role ${owner} login createrole password 'secret'`);
    await superuser(`alter database ${url.pathname.slice(1)} owner to ${owner}`);
    Object.assign(url, { username: owner, password: 'secret' });
    owned = await startTestServer({ DATABASE_URL: url.href });
    ownCommand = new ChildServer({ DATABASE_URL: url.href, DATA_DIR: owned.config.DATA_DIR });
    await newUser(owned, 'ada');
  });
  afterAll(async () => {
    const { rows } = await owned.product.context.db.$client.query('select role from sql_roles');
    for (const { role } of rows) await superuser(`drop role if exists ${role}`);
    await owned?.remove();
    await own?.drop();
    await superuser(`drop role if exists ${owner}`);
  });

  it('creates and drops the role with CREATEROLE, and prints what a superuser must run', async () => {
    const { advice, url } = await create();
    expect(advice).toContain('Every role of the database may still store objects');
    expect(advice).not.toContain('may not create roles');
    await withConnection({ connectionString: url }, async (client) => {
      expect((await client.query('select * from gh_pulls')).rows).toEqual([]);
      await client.query('set default_transaction_read_only = off');
      await expect(client.query('create temporary table x (a int)')).rejects.toThrow('permission denied');
      await runAdvised(ownUrl, advice);
      await expect(client.query('select lo_create(0)')).rejects.toThrow('permission denied');
    });
    expect(await ownCommand.admin('sql-access', 'revoke', 'ada@test.example', new URL(url).username)).toBe(
      'Revoked.\n',
    );
    await expect(withConnection({ connectionString: url }, async () => undefined)).rejects.toThrow();
    // The product itself may still do what it needs.
    await (await newUser(owned, 'mary')).json('DELETE', '/api/accounts/delete-account');
  });

  it('prints the statements that create and drop the role without CREATEROLE', async () => {
    await superuser(`alter role ${owner} nocreaterole`);
    const { advice, url } = await create();
    expect(advice).toContain('may not create roles');
    expect(advice).not.toContain(new URL(url).password);
    await runAdvised(ownUrl, advice);
    await withConnection({ connectionString: url }, async (client) => {
      expect((await client.query('select * from gh_pulls')).rows).toEqual([]);
    });
    const role = new URL(url).username;
    const { stderr } = await ownCommand.run('sql-access', 'revoke', 'ada@test.example', role);
    expect(stderr).toContain(`drop role ${role};`);
    await runAdvised(ownUrl, stderr);
    await expect(withConnection({ connectionString: url }, async () => undefined)).rejects.toThrow();
  });
});

describe('SQL_LISTEN', () => {
  it('opens the embedded database to roles, whose addresses the command prints', async () => {
    const folder = makeTemporaryFolder('datadeck-sql-listen-');
    const [port, sqlPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
    const SQL_LISTEN = `127.0.0.1:${sqlPort}`;
    const place = { DATA_DIR: folder, PORT: String(port), DATABASE_URL: '', SQL_LISTEN };
    const product = new ChildServer({ ...place, WEB_APP: 'off', SANDBOX: 'on' });
    try {
      await product.start();
      await new Client({ url: product.url }).signIn('ada.nowak@sandbox.example');
      const url = (
        await product.admin('sql-access', 'create', 'ada.nowak@sandbox.example', '--name', 'x')
      ).trim();
      expect(new URL(url).host).toBe(SQL_LISTEN);
      await withConnection({ connectionString: url }, async (client) => {
        expect((await client.query('select * from gh_pulls')).rows).toEqual([]);
        // The command takes these rights from every role.
        await client.query('set default_transaction_read_only = off');
        for (const statement of [
          'select lo_create(0)',
          'select pg_advisory_lock(1)',
          'create temporary table x ()',
        ])
          await expect(client.query(statement), statement).rejects.toThrow('permission denied');
      });
    } finally {
      await product.end('SIGTERM');
      removeDataFolder(folder);
    }
  });
});
