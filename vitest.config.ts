import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Test files wait as much as they compute: for kills, restarts, leases.
    maxWorkers: 2,
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
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      './packages/web/vite.config.ts',
    ],
  },
});
