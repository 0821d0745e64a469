import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { databasePidOf } from '../../../test-support/temporary-folder.ts';
import { startTestServer } from '../../../test-support/test-server.ts';
import { Guard } from './guard.ts';

describe('Guard', () => {
  it('restarts a server that ends while it is being claimed', async () => {
    const servers: ChildProcess[] = [];
    const start = async () => {
      const server = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' });
      servers.push(server);
      return server;
    };
    let claims = 0;
    // A process of the killed server survives for a moment and grants the lock.
    const claim = async () => {
      const server = servers.at(-1) as ChildProcess;
      const isFirst = claims++ === 0;
      if (isFirst) {
        const exit = once(server, 'exit');
        server.kill('SIGKILL');
        await exit;
      }
      return { end: async () => undefined } as unknown as pg.Client;
    };

    const guard = new Guard(start, claim, () => undefined);
    await guard.begin(await start());
    await vi.waitFor(() => expect(claims).toBe(2), { timeout: 50_000, interval: 20 });
    expect(servers).toHaveLength(2);

    guard.end();
    servers.at(-1)?.kill('SIGKILL');
  }, 60_000);

  it.skipIf(process.env.TEST_DATABASE_URL !== undefined)(
    'lets the product stop when the database is killed during the stop',
    async () => {
      // An unhandled rejection fails the test run.
      for (let round = 0; round < 2; round++) {
        const server = await startTestServer({ ROLE: 'web' }, { hasOwnPostgres: true });
        process.kill(databasePidOf(server.config.DATA_DIR), 'SIGKILL');
        await server.remove();
      }
    },
    120_000,
  );
});
