import { defineConfig } from 'vitest/config';

// What tests expect of local times is written in UTC.
process.env.TZ = 'UTC';

/** Limits for what hangs; a machine that others use as well may be many times slower than another. */
const limits = { testTimeout: 180_000, hookTimeout: 240_000 };
/** CI machines are shared and slow at times; a test that fails twice is broken. */
const retry = process.env.CI ? 1 : 0;

/** The second tier (`npm run test:long`). */
const LONG = '**/*.long.test.ts';
const server = {
  environment: 'node' as const,
  // The files of a worker share the server's modules and a running product (shared-server.ts).
  pool: 'forks' as const,
  isolate: false,
  globalSetup: 'packages/server/test-support/shared-postgres.ts',
  retry,
  ...limits,
};

export default defineConfig({
  test: {
    // For two processors: test files wait for kills, restarts and heartbeats as well as they compute.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/{contract,jsonata,connectors,sandbox,test-sandbox}/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [LONG],
          environment: 'node',
          retry,
          ...limits,
        },
      },
      { test: { name: 'server', include: ['packages/server/**/*.test.ts'], exclude: [LONG], ...server } },
      { test: { name: 'long', include: [`packages/{connectors,server}/${LONG}`], ...server } },
      './packages/web/vite.config.ts',
    ],
  },
});
