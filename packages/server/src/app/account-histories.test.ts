import { afterAll, beforeAll, describe, it } from 'vitest';
import { AccountHistories } from '../../test-support/account-histories.ts';

let histories: AccountHistories;
beforeAll(async () => {
  histories = await AccountHistories.open();
});
afterAll(() => histories?.server.remove());

describe('several accounts of two providers', () => {
  // Property: after each step of a random history, the stored and the shown rows equal the model's.
  it('store and show what a model of them says', async () => {
    await histories.live(Number(process.env.HISTORIES ?? 10), Number(process.env.SEED ?? 1));
  }, 600_000);
});
