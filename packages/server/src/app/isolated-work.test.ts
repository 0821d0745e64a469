import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { until } from '../../test-support/syncing.ts';
import { startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { announceExpiringTokens, markExpiredTokens } from '../features/connections/index.ts';
import { DeletionWorker, enqueueDeletion } from '../features/deletion/index.ts';
import { Keyring } from '../platform/encryption.ts';
import { Isolated } from '../platform/jobs/isolated.ts';
import { resealColumns } from '../platform/secrets/sealed-columns.ts';
import type { Product } from './product.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

/** Ids of users in the order in which most work comes to them; the first one fails. */
const FAILING = '00000000-0000-4000-8000-000000000001';
const OTHERS = ['00000000-0000-4000-8000-000000000002', 'ffffffff-0000-4000-8000-000000000003'];
const USERS = [FAILING, ...OTHERS];

let server: TestServer;
let product: Product;
const logged = vi.fn();

const execute = async (statement: ReturnType<typeof sql>) =>
  (await server.product.context.db.execute(statement)).rows;

beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
  const { context } = server.product;
  const log = Object.assign(Object.create(context.log), { error: logged });
  product = { ...server.product, context: { ...context, log } };
  await execute(sql`
    create function refuse() returns trigger language plpgsql as
      'begin raise exception ''refused''; return null; end'`);
});
afterAll(() => server?.remove());
beforeEach(() => logged.mockClear());

/** Makes each write of a kind fail for the first user. */
async function refuse(write: 'update' | 'delete', table: string, column = 'user_id'): Promise<void> {
  await execute(
    sql.raw(
      `create trigger refuse before ${write} on ${table} for each row when (old.${column} = '${FAILING}') execute function refuse()`,
    ),
  );
}

/** Stores a connection for each user. */
async function connect(expiresAt: Date, id: string): Promise<void> {
  for (const userId of USERS)
    await execute(sql`
      insert into connections (user_id, id, provider, account, subject, status, is_shown, credentials, expires_at, connected_at)
      values (${userId}, ${id.replace('0000', userId.slice(-4))}, 'github', 'someone', ${userId}, 'connected', true, null, ${expiresAt}, date_trunc('milliseconds', now()))
      on conflict do nothing`);
}

/** Work over all users, with a failing first user, and what shows for whom it was done. */
const WORK: Record<
  string,
  { begin(): Promise<void>; run(): Promise<unknown>; doneFor(): Promise<unknown[]> }
> = {
  'announces expiring tokens': {
    begin: async () => {
      await connect(new Date(Date.now() + 86_400_000), '10000000-0000-4000-8000-000000000000');
      await refuse('update', 'connections');
    },
    run: () => announceExpiringTokens(product.context, product.registry),
    doneFor: () =>
      execute(sql`select user_id from connections where expiry_notified_at is not null order by 1`),
  },
  'marks expired tokens': {
    begin: async () => {
      await execute(sql`delete from connections`);
      await connect(new Date(0), '20000000-0000-4000-8000-000000000000');
      await refuse('update', 'connections');
    },
    run: () => markExpiredTokens(product.context),
    doneFor: () => execute(sql`select user_id from connections where status = 'reconnect-needed' order by 1`),
  },
  'removes deleted data': {
    begin: async () => {
      for (const accountId of USERS) {
        await execute(sql`insert into sync_numbers (user_id, last) values (${accountId}, 1)`);
        await enqueueDeletion(product.context.db, { accountId, connectionId: null });
      }
      await refuse('delete', 'sync_numbers');
    },
    run: async () => {
      const worker = new DeletionWorker(product.context);
      worker.start();
      await until(async () => (await execute(sql`select from sync_numbers`)).length === 1);
      await worker.stop();
    },
    doneFor: () =>
      execute(sql`select account_id as user_id from deletions where swept_at is not null order by 1`),
  },
};

describe('work over all users', () => {
  it.each(Object.entries(WORK))('%s in spite of one that fails, and names it', async (_, work) => {
    await work.begin();
    try {
      await work.run();
      expect(await work.doneFor()).toEqual(OTHERS.map((userId) => ({ user_id: userId })));
      expect(JSON.stringify(logged.mock.calls)).toContain(FAILING);
    } finally {
      for (const table of ['connections', 'sync_numbers'])
        await execute(sql.raw(`drop trigger if exists refuse on ${table}`));
    }
  });
});

describe('encrypting secrets again', () => {
  const [before, after] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));

  it('names secrets that cannot be decrypted, and renews the others', async () => {
    const { db } = product.context;
    const old = new Keyring(`${before}`);
    const ring = new Keyring(`${after},${before}`);
    await execute(sql`delete from connections`);
    await connect(new Date(), '30000000-0000-4000-8000-000000000000');
    for (const userId of USERS) {
      const sealed = { ...old.seal('{}', userId), ...(userId === FAILING && { tag: 'AAAA' }) };
      await execute(
        sql`insert into webhooks (user_id, sealed) values (${userId}, ${JSON.stringify(sealed)}::jsonb)`,
      );
      await execute(
        sql`update connections set credentials = ${JSON.stringify(sealed)}::jsonb where user_id = ${userId}`,
      );
    }
    const columns = SEALED_COLUMNS.filter(({ table }) => ['connections', 'webhooks'].includes(table));
    for (const column of columns)
      expect(await resealColumns(db, ring, [column])).toEqual({
        renewed: OTHERS.length,
        unreadable: [expect.stringContaining(FAILING)],
      });
  });
});

describe('Isolated', () => {
  it('ends when the database is unreachable, because every item would fail', async () => {
    const isolated = new Isolated<number>({ error: logged }, 'counting', String);
    const lost = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    const task = vi.fn(() => Promise.reject(lost));
    await expect(isolated.forEach([1, 2], task)).rejects.toBe(lost);
    expect(task).toHaveBeenCalledOnce();
  });

  it('reports all failures at the end', async () => {
    const isolated = new Isolated<number>({ error: logged }, 'counting', String);
    await isolated.forEach([1, 2, 3], async (n) => {
      if (n !== 2) throw new Error(`no ${n}`);
    });
    expect(isolated.withoutFailed([1, 2, 3])).toEqual([2]);
    expect(() => isolated.throwIfFailed()).toThrow('counting failed 2 times, first 1: no 1');
  });
});
