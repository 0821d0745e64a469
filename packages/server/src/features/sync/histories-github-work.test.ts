import { afterAll, beforeAll, describe, it } from 'vitest';
import { WORK_WORLDS } from '../../../test-support/github-worlds.ts';
import { Histories } from '../../../test-support/histories.ts';

let histories: Histories;
beforeAll(async () => {
  histories = await Histories.open();
});
afterAll(() => histories?.server.remove());

/** A twelfth of those of pull requests for each of the six entities, at least as many as `npm test` has time for. */
const COUNT = Math.max(12, Math.round(Number(process.env.HISTORIES ?? 0) / 12));

describe('a sync of work on GitHub', () => {
  // Property: after each run of a random history with faults and kills, the store equals the provider within scope and
  // cap; undoing a run restores the records before it.
  // @covers life.process-killed-step
  it.each(Object.entries(WORK_WORLDS))(
    'equals GitHub within scope and cap after each random run of %s',
    async (_entity, WorkWorld) => {
      const world = new WorkWorld(histories.server, () => histories.tokenOf('github'));
      await histories.liveAll(world, COUNT);
    },
    600_000,
  );
});
