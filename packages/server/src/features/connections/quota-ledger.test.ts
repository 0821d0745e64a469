import { grantMs, type QuotaLedger, Scheduler, systemClock } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../test-support/syncing.ts';
import { startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import { ConnectionLedger } from './quota-ledger.ts';

const WINDOW_MS = 1500;
const DURABLE_MS = 90_000;
const QUOTA = { unitsPerMinute: 600, concurrency: 5 };
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
});
afterAll(() => server?.remove());

function ledger(connection: { userId: string; id: string }): ConnectionLedger {
  const { unitsPerMinute } = QUOTA;
  return new ConnectionLedger(server.product.context.db, connection, { unitsPerMinute, windowMs: WINDOW_MS });
}
/** Creates a ledger whose window outlasts a restart of the database, even on a slow machine. */
function durable(connection: { userId: string; id: string }): ConnectionLedger {
  const { unitsPerMinute } = QUOTA;
  return new ConnectionLedger(server.product.context.db, connection, {
    unitsPerMinute,
    windowMs: DURABLE_MS,
  });
}
const randomConnection = () => ({ userId: crypto.randomUUID(), id: crypto.randomUUID() });

describe('ConnectionLedger', () => {
  // @covers limits.units-both-quotas
  it('keeps processes that share a connection within one quota, which they use', async () => {
    const connection = randomConnection();
    const sent: number[] = [];
    const abort = new AbortController();
    const worker = async () => {
      // Each process has its own scheduler.
      const scheduler = new Scheduler(QUOTA, systemClock, ledger(connection));
      const send = async () => {
        while (!abort.signal.aborted) {
          await scheduler
            .run(20, async () => void sent.push(performance.now()), { signal: abort.signal })
            .catch(() => undefined);
        }
      };
      await Promise.all([send(), send(), send()]);
    };

    // Without sharing, each scheduler would send a full minute's units in the first window.
    const working = Promise.all([worker(), worker()]);
    await until(() => 20 * sent.length > 1.2 * QUOTA.unitsPerMinute, 150_000);
    abort.abort();
    await working;

    // The ledger's window also covers the validity of a grant, so count what is sent in the rest of it.
    const span = WINDOW_MS - grantMs();
    for (const start of sent) {
      const units = 20 * sent.filter((at) => at >= start && at < start + span).length;
      expect(units).toBeLessThanOrEqual(QUOTA.unitsPerMinute);
    }
  });

  // @covers limits.units-both-quotas
  it('remembers the granted units after a restart', async () => {
    const connection = randomConnection();
    expect(await durable(connection).grant(590)).toMatchObject({ isGranted: true, waitMs: 0 });
    const after = await durable(connection).grant(20);
    expect(after.isGranted).toBe(false);
    expect(after.waitMs).toBeGreaterThan(0);
    expect(after.waitMs).toBeLessThanOrEqual(DURABLE_MS);
    expect(await durable(randomConnection()).grant(20)).toMatchObject({ isGranted: true });
    expect(await durable(connection).grant(10)).toMatchObject({ isGranted: true });
  });

  it('returns the unused units of a grant and no more', async () => {
    const connection = randomConnection();
    const book = durable(connection);
    const { id = '' } = await book.grant(500);
    expect(await book.grant(200)).toMatchObject({ isGranted: false });
    expect(await book.grant(200, { id, units: 100 })).toMatchObject({ isGranted: true });
    expect(await book.grant(1)).toMatchObject({ isGranted: false });
    // Other connections have their own grants.
    expect(await durable(randomConnection()).grant(1, { id, units: 400 })).toMatchObject({ isGranted: true });
    expect(await book.grant(1)).toMatchObject({ isGranted: false });
  });

  it('loses no quota of a process too busy to use its grants in time', async () => {
    const connection = randomConnection();
    const book = durable(connection);
    /** Units of unsettled grants, by grant id. */
    const openGrants = new Map<string, number>();
    const watched: QuotaLedger = {
      grant: async (units, settled = [], terms = {}) => {
        const grant = await book.grant(units, settled, terms);
        for (const { id } of [settled].flat()) openGrants.delete(id);
        if (grant.id !== undefined) openGrants.set(grant.id, grant.units ?? units);
        return grant;
      },
    };

    const scheduler = new Scheduler({ ...QUOTA, minuteMs: 3000 }, systemClock, watched);
    let sent = 0;
    for (const { signal } = new AbortController(); sent < 12; ) {
      await scheduler.run(1, async () => void sent++, { signal });
      // Longer than a grant is valid: its unused units are returned or lost.
      await new Promise((resolve) => setTimeout(resolve, grantMs(3000) + 5));
    }

    const { rows } = await server.product.context.db.execute<{ units: number; grants: number }>(sql`
    select sum(units) as units, count(*)::int as grants from quota_grants where user_id = ${connection.userId}`);
    // Only the units sent and the last grants, which are still open, are counted.
    expect(rows[0]?.units).toBeGreaterThanOrEqual(sent);
    expect(rows[0]?.units).toBeLessThanOrEqual(
      sent + [...openGrants.values()].reduce((sum, units) => sum + units, 0),
    );
    expect(rows[0]?.grants).toBeGreaterThan(openGrants.size);
  });

  it('deletes expired grants', async () => {
    const connection = randomConnection();
    for (let round = 0; round < 3; round++) await ledger(connection).grant(1);
    await new Promise((resolve) => setTimeout(resolve, WINDOW_MS + 50));
    await ledger(connection).grant(1);
    const { rows } = await server.product.context.db.execute(
      sql`select 1 from quota_grants where user_id = ${connection.userId}`,
    );
    expect(rows).toHaveLength(1);
  });
});
