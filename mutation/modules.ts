/**
 * A module whose mutants must be killed by the tests named beside it. Paths are relative to the repository. A mutant runs only
 * the tests that reach it, so these must not depend on tests before them: `--sequence.shuffle.tests` of Vitest shows that.
 */
export interface MutatedModule {
  files: readonly string[];
  /** Test files; one run of all takes at most 60 s. */
  tests: readonly string[];
  /** Number of mutants, chosen by the seed. Default: all. */
  sample?: number;
  /** True if the tests share the embedded PostgreSQL. */
  needsPostgres?: boolean;
  /** Environment of the tests. */
  environment?: Readonly<Record<string, string>>;
}

const SAMPLE = 150;
const CONTRACT = 'packages/contract/src';
const CONNECTORS = 'packages/connectors/src';
const JSONATA = 'packages/jsonata/src';
const APP = 'packages/server/src/app';
const FEATURES = 'packages/server/src/features';
const SYNC = `${FEATURES}/sync`;

export const MODULES: Readonly<Record<string, MutatedModule>> = {
  'search-query': {
    files: [`${CONTRACT}/search-query.ts`],
    tests: [`${CONTRACT}/search-query.test.ts`],
  },
  'row-conditions': {
    files: [`${FEATURES}/templates/row-conditions.ts`],
    tests: [`${FEATURES}/templates/row-conditions.test.ts`],
    needsPostgres: true,
    environment: { PUSH_DOWN_QUERIES: '400' },
  },
  'github-changes': {
    files: [`${CONNECTORS}/github/lists/changes.ts`],
    tests: [`${CONNECTORS}/github/lists/all.test.ts`, `${CONNECTORS}/github/pulls/conformance.test.ts`],
  },
  'gmail-changes': {
    files: [`${CONNECTORS}/google/mail-changes.ts`],
    tests: [`${CONNECTORS}/google/messages.test.ts`, `${CONNECTORS}/google/conformance.test.ts`],
  },
  'imap-changes': {
    files: [`${CONNECTORS}/imap/mail-changes.ts`, `${CONNECTORS}/imap/known-messages.ts`],
    tests: [
      `${CONNECTORS}/imap/known-messages.test.ts`,
      `${CONNECTORS}/imap/mail-changes.test.ts`,
      `${CONNECTORS}/imap/without-condstore.test.ts`,
      `${CONNECTORS}/imap/conformance.test.ts`,
    ],
  },
  'path-compiler': {
    files: [`${JSONATA}/compiler/path.ts`],
    tests: [`${JSONATA}/short-cuts.test.ts`, `${JSONATA}/differential.test.ts`],
    environment: { DIFFERENTIAL_COUNT: '1500' },
  },
  authorize: {
    files: [`${APP}/authorize.ts`],
    tests: [`${APP}/sign-in-methods.test.ts`, `${APP}/open-id.test.ts`, `${SYNC}/undo-scopes.test.ts`],
    needsPostgres: true,
  },
  commit: {
    files: [`${SYNC}/commit.ts`],
    tests: [`${SYNC}/sync.test.ts`],
    sample: SAMPLE,
    needsPostgres: true,
  },
  'page-commits': {
    files: [`${SYNC}/page-commits.ts`],
    tests: [`${SYNC}/page-commits.test.ts`],
    sample: SAMPLE,
    needsPostgres: true,
  },
  claim: {
    files: [`${SYNC}/claim.ts`],
    tests: [`${SYNC}/claim.test.ts`],
    sample: SAMPLE,
    needsPostgres: true,
  },
  undo: {
    files: [`${SYNC}/storage/undo.ts`],
    tests: [`${SYNC}/storage/records.test.ts`],
    sample: SAMPLE,
    needsPostgres: true,
  },
  scheduler: {
    files: [`${CONNECTORS}/sdk/scheduler.ts`],
    tests: [`${CONNECTORS}/sdk/scheduler.test.ts`],
    sample: SAMPLE,
  },
};
