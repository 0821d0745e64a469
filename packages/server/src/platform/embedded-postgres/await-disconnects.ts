import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const MAX_DURATION_MS = 3000;
const EVERY_MS = 10;

/**
 * Waits, three seconds at most, until connections that were ended have left the server: pools tell that they have ended before
 * theirs have, and each that the server's stop cuts off would be reported as lost.
 */
export async function awaitDisconnects(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: MAX_DURATION_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (let waited = 0; waited < MAX_DURATION_MS; waited += EVERY_MS) {
      const { rowCount } = await client.query(
        "select 1 from pg_stat_activity where application_name = 'datadeck' or application_name like 'datadeck-%'",
      );
      if (rowCount === 0) return;
      await sleep(EVERY_MS);
    }
  } catch {
    // A server that does not answer has nobody to take leave of.
  } finally {
    await client.end().catch(() => undefined);
  }
}
