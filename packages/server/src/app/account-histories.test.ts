import { afterAll, beforeAll, describe, it } from 'vitest';
import { AccountHistories } from '../../test-support/account-histories.ts';

let histories: AccountHistories;
beforeAll(async () => {
  histories = await AccountHistories.open(0.1);
});
afterAll(() => histories?.close());

describe('several accounts of all providers', () => {
  // Property: after each step of a random history, the stored rows equal the model's, and so do the shown ones.
  it('store and show what a model of them says', async () => {
    await histories.live(3, 1);
  }, 600_000);
});
