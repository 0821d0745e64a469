import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { killEmbeddedDatabase } from '../../../test-support/temporary-folder.ts';
import { startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import { ConnectionLedger } from './quota-ledger.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' }, { hasOwnPostgres: true });
});
afterAll(() => server?.remove());

describe('ConnectionLedger', () => {
  // Other tests use Debian's cluster at the same time: there resume.test.ts kills one of its own.
  it.skipIf(process.env.TEST_DATABASE_URL !== undefined)(
    'remembers grants made just before the database is killed',
    async () => {
      const connection = { userId: crypto.randomUUID(), id: crypto.randomUUID() };
      // The window outlasts a restart of the database, even on a slow machine.
      const quota = { unitsPerMinute: 600, windowMs: 90_000 };
      const ledger = new ConnectionLedger(server.product.context.db, connection, quota);
      for (let second = 0; second < 5; second++)
        expect(await ledger.grant(100)).toMatchObject({ isGranted: true });
      killEmbeddedDatabase(server.config.DATA_DIR);
      // Child processes of the killed database may still answer for a moment.
      await vi.waitFor(() => expect(ledger.grant(1)).rejects.toThrow(), 20_000);
      const after = await vi.waitFor(() => ledger.grant(101), {
        timeout: 50_000,
        interval: 100,
      });
      expect(after.isGranted).toBe(false);
    },
    90_000,
  );
});
