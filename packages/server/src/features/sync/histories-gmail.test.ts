import type { SyncSummary } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAP, Histories } from '../../../test-support/histories.ts';
import { GmailWorld } from '../../../test-support/provider-worlds.ts';

let histories: Histories;
beforeAll(async () => {
  histories = await Histories.open();
});
afterAll(() => histories?.server.remove());

describe('a sync of messages', () => {
  // Property: after each run of a random history with faults and kills, the store equals the provider within scope and
  // cap; undoing a run restores the records before it.
  // @covers life.process-killed-step
  it('equals Gmail within scope and cap after each random run', async () => {
    await histories.liveAll(new GmailWorld(histories.server, () => histories.tokenOf('google')));
  }, 600_000);

  /** Runs a sync without kills. @returns the ids of the stored messages, newest first */
  async function runAndList(world: Parameters<Histories['perform']>[0] & { entity: string }) {
    await histories.perform(world, () => 0);
    return (await histories.stored(world.entity)).map(({ id }) => id);
  }

  it('lists all messages when an old one replaces a newer one in its scope', async () => {
    const email = 'ada.nowak@sandbox.example';
    const { gmail } = histories.server.control;
    const label = gmail.createLabel(email, 'Horizon');
    const minute = (age: number) => Date.UTC(2026, 0, 1) - age * 60_000;
    const labelled = Array.from({ length: CAP + 2 }, (_, age) =>
      gmail.insert(email, { labelIds: [label], date: minute(age) }),
    );
    const old = gmail.insert(email, { labelIds: [], date: minute(1000) });
    const world = { provider: 'google', entity: 'gmail-messages', settings: { labelIds: label } };
    const run = () => runAndList(world);

    await histories.clear(world.entity);
    expect(await run()).toEqual(labelled.slice(0, CAP));

    gmail.changeLabels(email, labelled[3] ?? '', { remove: [label] });
    gmail.changeLabels(email, old, { add: [label] });

    const rest = labelled.filter((_, place) => place !== 3);
    expect(await run()).toEqual(rest.slice(0, CAP));
  });

  it('stores a message displaced by an unreadable one once there is room', async () => {
    const email = 'ada.nowak@sandbox.example';
    const { control } = histories.server;
    const label = control.gmail.createLabel(email, 'Displaced');
    const labelled = Array.from({ length: CAP + 1 }, (_, age) =>
      control.gmail.insert(email, { labelIds: [label], date: Date.UTC(2026, 0, 1) - age * 60_000 }),
    );
    const world = { provider: 'google', entity: 'gmail-messages', settings: { labelIds: label } };
    const run = () => runAndList(world);
    await histories.clear(world.entity);
    expect(await run()).toEqual(labelled.slice(0, CAP));
    // The full run keeps the stored version of this unreadable message, reads ten others, and removes the oldest.
    control.gmail.expireHistory(email);
    const path = new RegExp(`messages/${labelled[3]}\\?format=full`);
    control.fault({ name: 'http-500', match: { api: 'gmail', path }, times: Number.POSITIVE_INFINITY });
    expect(await run()).toEqual(labelled.slice(0, CAP));
    control.clearFaults();

    control.gmail.changeLabels(email, labelled[5] ?? '', { remove: [label] });

    expect(await run()).toEqual(labelled.filter((_, age) => age !== 5));
  });

  it('does not report a message as removed that other scopes keep', async () => {
    const email = 'ada.nowak@sandbox.example';
    const { control, product } = histories.server;
    const [one, other] = [control.gmail.createLabel(email, 'One'), control.gmail.createLabel(email, 'Other')];
    const [shared = ''] = [[one, other], [one], [other]].map((labelIds) =>
      control.gmail.insert(email, { labelIds }),
    );
    const removedBy = async (labelIds: string) => {
      const world = { provider: 'google', entity: 'gmail-messages', settings: { labelIds } };
      const { id } = await histories.perform(world, () => 0);
      const { rows } = await product.context.db.execute<{ summary: SyncSummary }>(
        sql`select summary from syncs where user_id = ${histories.userId} and id = ${id}`,
      );
      return rows[0]?.summary.removed;
    };

    await histories.clear('gmail-messages');
    expect([await removedBy(one), await removedBy(other)]).toEqual([0, 0]);

    control.gmail.changeLabels(email, shared, { remove: [one] });
    expect(await removedBy(one)).toBe(0);
    expect(await histories.stored('gmail-messages')).toHaveLength(3);

    control.gmail.changeLabels(email, shared, { remove: [other] });
    expect(await removedBy(other)).toBe(1);
    expect(await histories.stored('gmail-messages')).toHaveLength(2);
  });
});
