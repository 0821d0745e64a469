import { defineConfig } from 'vitest/config';

// What tests expect of local times is written in UTC.
process.env.TZ = 'UTC';

export default defineConfig({
  test: {
    // For two processors: test files wait for kills, restarts and leases as well as they compute.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'node',
          include: [
            'packages/{contract,jsonata,connectors,sandbox,server}/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          environment: 'node',
          globalSetup: 'packages/server/src/testing/shared-postgres.ts',
          // Limits for what hangs; a machine that others use as well may be many times slower than another.
          testTimeout: 180_000,
          hookTimeout: 240_000,
        },
      },
      './packages/web/vite.config.ts',
    ],
  },
});
