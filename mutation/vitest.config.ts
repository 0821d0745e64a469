/**
 * Runs the tests of one module in the copy of the repository that Stryker has mutated. `run.ts` chooses them by
 * MUTATION_TESTS. Imports nothing: this folder has a Vitest of its own, which the copy must not load.
 */
export default {
  test: {
    include: process.env.MUTATION_TESTS?.split(',') ?? [],
    environment: 'node',
    // What tests expect of local times is written in UTC.
    env: { TZ: 'UTC' },
    // Stryker's own limit is lower; it ends the process.
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
};
