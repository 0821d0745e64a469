import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const MAX_DURATION_MS = 3000;
const EVERY_MS = 10;

/**
 * Waits at most three seconds until the server has closed all our connections. Pools report their end earlier, and
 * stopping the server with open connections would log each of them as lost.
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
    // A server that does not respond has no connections to wait for.
  } finally {
    await client.end().catch(() => undefined);
  }
}
