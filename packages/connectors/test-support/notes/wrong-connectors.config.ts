import { defineConfig } from 'vitest/config';

/** Runs the suite with the faulty connectors. `wrong-connectors.test.ts` starts it and expects failures. */
export default defineConfig({
  cacheDir: '../../../../../node_modules/.vite/wrong-connectors',
  test: { include: ['wrong-connectors.fixture.ts'], environment: 'node', testTimeout: 20_000 },
});
