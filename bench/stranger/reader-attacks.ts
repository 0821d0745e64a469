import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { type Attack, send, storeView, type Target, wait } from './attack.ts';

/** Waits until the attack's time is over, with connections that say nothing or half of what they should. */
async function holdSilent(target: Target): Promise<void> {
  const { hostname, port } = new URL(target.sql);
  const role = 'user\0nobody\0database\0datadeck\0\0';
  const head = Buffer.alloc(8);
  head.writeInt32BE(role.length + 8, 0);
  head.writeInt32BE(0x30000, 4);
  const greetings = [Buffer.alloc(0), Buffer.from([0, 0]), Buffer.concat([head, Buffer.from(role)])];
  const sockets: Socket[] = Array.from({ length: 300 }, (_, nth) => {
    const socket = connect(Number(port), hostname, () => socket.write(greetings[nth % 3] ?? ''));
    socket.on('error', () => undefined).on('close', () => target.note('closed'));
    return socket;
  });
  await wait(target, 10_000);
  for (const socket of sockets) socket.destroy();
}

/** Statements of a role that may only read: each fills the disk of a careless database. */
const STATEMENTS = [
  "do $$ begin loop raise warning '%', repeat('x', 8000); end loop; end $$",
  `notify a, '${'x'.repeat(7000)}'`,
  "select count(*) from (select md5(n::text) || repeat('x', 500) as t from generate_series(1, 3000000) n order by 1 offset 1) s",
  'select 1 / 0',
  'set temp_file_limit = -1',
  "set log_min_messages = 'debug5'",
  "alter role current_user password 'mine'",
];

async function queryAsRole(target: Target): Promise<void> {
  const client = new pg.Client({ connectionString: target.sql, statement_timeout: 10_000 });
  client.on('error', () => target.note('the session was ended'));
  try {
    await client.connect();
    await client.query(
      "set default_transaction_read_only = off; set client_min_messages = 'error'; listen a",
    );
    for (const statement of STATEMENTS) {
      if (target.signal.aborted) break;
      const answer = await client.query(statement).then(
        () => 'done',
        (error: pg.DatabaseError) => `refused ${error.code ?? error.message}`,
      );
      target.note(`${statement.slice(0, 12)}: ${answer}`);
    }
  } catch (error) {
    target.note(`no session: ${(error as Error).message.slice(0, 40)}`);
    await wait(target, 500);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** What everybody may read without a token. */
async function readPublic(target: Target): Promise<void> {
  const paths = ['/api/openapi.json', '/api/v1/openapi.json', '/metrics', '/api/product'];
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  await Promise.all(paths.map((path) => send(target, { path, headers })));
}

let viewToken: string | undefined;

/** A token for one view that is used for what it may not do. Its owner must still be able to write. */
async function misuseToken(target: Target): Promise<void> {
  const { user } = target;
  if (viewToken === undefined) {
    const viewId = await storeView(target, {});
    const body = { name: 'stolen', scope: 'view', expiresInDays: 1, viewId, rowBudget: 1000 };
    const { text } = await send(target, { method: 'POST', path: '/api/accounts/tokens', token: user, body });
    viewToken = (JSON.parse(text) as { token: string }).token;
  }
  const token = viewToken;
  const tried = ['/api/data/views', '/api/accounts/tokens', '/api/data/alerts', '/mcp'];
  await Promise.all(
    Array.from({ length: 20 }, (_, nth) =>
      send(target, { method: 'POST', path: tried[nth % tried.length] ?? '', token, body: {} }),
    ),
  );
  const title = 'Mine';
  const own = { method: 'POST', path: '/api/data/views/categories', token: user, body: { title } };
  const { status, text } = await send(target, own);
  if (status === 429) throw new Error('the owner was locked out by a token');
  if (status !== 201) return;
  const { _id } = JSON.parse(text) as { _id: string };
  await send(target, { method: 'DELETE', path: `/api/data/views/categories/${_id}`, token: user });
  await wait(target, 500);
}

/** Attacks by those who may read: anybody, the holder of a token, and a role of SQL access. */
export const READER_ATTACKS: readonly Attack[] = [
  { name: 'public-documents', atOnce: 40, run: readPublic },
  { name: 'view-token', run: misuseToken },
  { name: 'sql-role', atOnce: 5, run: queryAsRole },
  { name: 'sql-silent', run: holdSilent },
];
