import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Histories, PLAN } from '../../../test-support/histories.ts';
import { GithubWorld } from '../../../test-support/provider-worlds.ts';
import { cancelSync, deleteLastSync, startSync } from './index.ts';

let histories: Histories;
beforeAll(async () => {
  histories = await Histories.open();
});
afterAll(() => histories?.server.remove());

describe('a sync of pull requests', () => {
  // Property: after each run of a random history with faults and kills, the store equals the provider within scope and
  // cap; undoing a run restores the records before it.
  // @covers life.process-killed-step
  it('equals GitHub within scope and cap after each random run', async () => {
    await histories.liveAll(new GithubWorld(histories.server, () => histories.tokenOf('github')));
  }, 600_000);

  it('fails on cancel before it is claimed, and can be undone', async () => {
    const world = new GithubWorld(histories.server, () => histories.tokenOf('github'));
    await histories.clear(world.entity);
    const { context, registry } = histories.server.product;
    const { _id } = await startSync(context, registry, {
      providerId: world.provider,
      entityLabel: world.entity,
      entitySettings: world.settings,
      by: { userId: histories.userId, plan: PLAN },
    });
    expect((await cancelSync(histories.server.product, histories.userId, _id)).status).toBe('failed');
    await deleteLastSync(context, histories.server.product.registry, { userId: histories.userId, id: _id });
    expect(await histories.stored(world.entity)).toEqual([]);
  });
});
