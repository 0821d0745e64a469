import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { databasePidOf, makeTemporaryFolder, removeDataFolder } from '../../testing/temporary-folder.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { startEmbeddedPostgres } from './launcher.ts';

/** Longer than a start takes, shorter than waiting for one that will never be. */
const REVIVED_MS = 12_000;
const NEVER_HERE = process.env.TEST_DATABASE_URL !== undefined;

async function answers(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}

test('a database that is killed while it starts, and just after, is started again', async () => {
  const folder = makeTemporaryFolder('datadeck-test-');
  const database = await startEmbeddedPostgres(folder);
  try {
    for (let kill = 0; kill < 2; kill++) {
      const before = databasePidOf(folder);
      process.kill(before, 'SIGKILL');
      // Its successor, as soon as there is one: it may have come to anything from its first file to its first answer.
      const after = await vi.waitFor(
        () => {
          const pid = databasePidOf(folder);
          expect(pid).not.toBe(before);
          return pid;
        },
        { timeout: REVIVED_MS, interval: 5 },
      );
      await new Promise((resolve) => setTimeout(resolve, 100 * kill));
      process.kill(after, 'SIGKILL');
      await vi.waitFor(
        async () => {
          expect(databasePidOf(folder)).not.toBe(after);
          await answers(database.connection);
        },
        { timeout: REVIVED_MS, interval: 50 },
      );
    }
  } finally {
    await database.stop();
    removeDataFolder(folder);
  }
}, 90_000);

test.skipIf(NEVER_HERE)(
  'a database that dies while the product stops does not end the process',
  async () => {
    // What nobody handles is an error of the test run.
    for (let round = 0; round < 2; round++) {
      const server = await startTestServer({ ROLE: 'web' }, { hasOwnPostgres: true });
      process.kill(databasePidOf(server.config.DATA_DIR), 'SIGKILL');
      await server.remove();
    }
  },
  60_000,
);
