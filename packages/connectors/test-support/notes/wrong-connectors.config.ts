import { defineConfig } from 'vitest/config';

/** Runs the suite against the wrong connectors: `wrong-connectors.test.ts` starts it, and expects it to fail. */
export default defineConfig({
  cacheDir: '../../../../../node_modules/.vite/wrong-connectors',
  test: { include: ['wrong-connectors.fixture.ts'], environment: 'node', testTimeout: 20_000 },
});
