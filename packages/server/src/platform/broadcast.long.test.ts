import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { killEmbeddedDatabase } from '../../test-support/temporary-folder.ts';
import { startTestServer, type TestServer } from '../../test-support/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' }, { hasOwnPostgres: true });
});
afterAll(() => server?.remove());

describe('Broadcast', () => {
  // Other tests use Debian's cluster at the same time: there resume.test.ts kills one of its own.
  it.skipIf(process.env.TEST_DATABASE_URL !== undefined)(
    'listens on one connection after the database was killed',
    async () => {
      const { broadcast, db } = server.product.context;
      const heard: string[] = [];
      broadcast.subscribe('topic', (message) => heard.push(message));
      const onMissed = vi.fn();
      broadcast.onMissed(onMissed);

      killEmbeddedDatabase(server.config.DATA_DIR);
      // The server's processes survive it for a moment and still respond.
      await vi.waitFor(() => expect(db.execute('select 1')).rejects.toThrow(), 20_000);

      let sent = 0;
      await vi.waitFor(
        async () => {
          await broadcast.publish('topic', `early ${sent++}`);
          expect(heard).not.toEqual([]);
        },
        { timeout: 50_000, interval: 200 },
      );

      const { rowCount } = await db.execute(
        `select 1 from pg_stat_activity where application_name = 'datadeck-broadcast'`,
      );
      expect(rowCount).toBe(1);
      expect(onMissed).toHaveBeenCalledOnce();

      await broadcast.publish('topic', 'late');
      await vi.waitFor(() => expect(heard).toContain('late'), 20_000);
      expect(heard.filter((message) => message === 'late')).toHaveLength(1);
    },
    120_000,
  );

  it('reconnects after a lost connection and reports missed messages', async () => {
    const { broadcast, db } = server.product.context;
    const onMissed = vi.fn();
    const stop = broadcast.onMissed(onMissed);
    await db.execute(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'datadeck-broadcast' and datname = current_database()`,
    );
    await vi.waitFor(() => expect(onMissed).toHaveBeenCalledOnce(), 20_000);
    stop();
  });
});
