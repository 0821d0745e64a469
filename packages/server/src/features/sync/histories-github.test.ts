import { afterAll, beforeAll, expect, test } from 'vitest';
import { Histories, PLAN } from '../../../test-support/histories.ts';
import { GithubWorld } from '../../../test-support/provider-worlds.ts';
import { cancelSync, deleteLastSync, startSync } from './index.ts';

let histories: Histories;
beforeAll(async () => {
  histories = await Histories.open();
});
afterAll(() => histories?.server.remove());

// @covers 4.random-histories-300 4.receipt-added-updated life.process-killed-step
test('after each run of pull requests the store equals the provider, cut by scope and cap; after undo what was before', async () => {
  await histories.liveAll(new GithubWorld(histories.server, () => histories.tokenOf('github')));
}, 600_000);

test('a run cancelled between its statements ends, keeps what was committed, and can be undone', async () => {
  const world = new GithubWorld(histories.server, () => histories.tokenOf('github'));
  await histories.clear(world.entity);
  const { context, registry } = histories.server.product;
  const { _id } = await startSync(context, registry, {
    providerId: world.provider,
    entityLabel: world.entity,
    entitySettings: world.settings,
    by: { userId: histories.userId, plan: PLAN },
  });
  expect((await cancelSync(context, histories.userId, _id)).status).toBe('failed');
  await deleteLastSync(context, histories.server.product.registry, { userId: histories.userId, id: _id });
  expect(await histories.stored(world.entity)).toEqual([]);
});
