import { afterAll, beforeAll, describe, it } from 'vitest';
import { AccountHistories } from '../../test-support/account-histories.ts';

/** The variables HISTORIES and SEED repeat or extend a run. */
const HISTORIES = Number(process.env.HISTORIES ?? 15);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);

let histories: AccountHistories;
beforeAll(async () => {
  histories = await AccountHistories.open(1);
});
afterAll(() => histories?.close());

describe('several accounts of all providers', () => {
  // Property: as of `account-histories.test.ts`, in many more histories, and shown after each step.
  it('store and show what a model of them says, always', async () => {
    await histories.live(HISTORIES, SEED);
  }, 36_000_000);
});
