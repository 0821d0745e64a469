import { sql } from 'drizzle-orm';
import { deleteAccount } from '../src/features/deletion/index.ts';
import { until } from './syncing.ts';
import { startTestServer, type TestServer } from './test-server.ts';

/** The product of this worker; it runs until the worker ends. */
let running: Promise<TestServer> | undefined;
/** Number of test files that have used it. Limits by address count each file for itself. */
let files = 0;

/** Deletes all accounts as the product does, and resets the sandbox, so that the next test file finds an empty product. */
async function empty({ product, control }: TestServer): Promise<void> {
  const { db } = product.context;
  control.reset();
  const { rows } = await db.execute<{ id: string }>(sql`select id from users`);
  for (const { id } of rows) await deleteAccount(product, id);
  await until(async () => (await db.execute(sql`select 1 from users limit 1`)).rows.length === 0);
  await db.execute(sql`delete from pgboss.job where state < 'active'`);
}

/**
 * Returns the product that the test files of a worker share, starting it for the first one. A file has it to itself until it
 * calls `remove`, which deletes all accounts. For files without settings of their own.
 */
export async function shareServer(): Promise<TestServer> {
  running ??= startTestServer();
  const server = await running;
  files += 1;
  const address = `10.1.${files >> 8}.${files & 255}`;
  return Object.assign(Object.create(server), { address, remove: () => empty(server) });
}
