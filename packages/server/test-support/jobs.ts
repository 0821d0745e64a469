import { sql } from 'drizzle-orm';
import type { TestServer } from './test-server.ts';

interface StoredJob {
  state: string;
  data: Record<string, unknown>;
  /** When it may start, s from now. */
  inSeconds: number;
}

/** The jobs of a queue that wait or run. */
export async function jobsOf(server: TestServer, queue: string): Promise<StoredJob[]> {
  const { rows } = await server.product.context.db.execute<StoredJob & Record<string, unknown>>(sql`
    select state, data, extract(epoch from start_after - now())::float8 as "inSeconds" from pgboss.job
    where name = ${queue} and state <= 'active' order by created_on`);
  return rows;
}

/** Lets jobs that wait for their time start now. */
export async function hastenJobs(server: TestServer, queue: string): Promise<void> {
  await server.product.context.db.execute(
    sql`update pgboss.job set start_after = now() where name = ${queue} and state < 'active'`,
  );
}
