import type { FaultName, FaultSpec } from '@datadeck/sandbox';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueueSync } from '../../features/sync/queue.ts';
import { type Collection, FaultStage } from '../../testing/fault-stage.ts';
import { awaitEnd, until } from '../../testing/syncing.ts';

const FOR_LONG = Number.POSITIVE_INFINITY;
const HOUR = 3_600_000;
let stage: FaultStage;

beforeAll(async () => {
  stage = await FaultStage.open();
});
afterAll(() => stage?.close());

/** The seconds that a run says it waited, on which it found everything all the same. */
async function waitOf(from: Collection, ...faults: FaultSpec[]): Promise<number> {
  await stage.clear(from);
  const handles = faults.map((fault) => stage.fault({ match: { api: from.api }, ...fault }));
  const ended = await stage.run(from);
  expect(ended).toMatchObject({ status: 'finished' });
  expect(handles.map(({ hits }) => hits > 0)).toEqual(handles.map(() => true));
  expect(await stage.stored(from)).toEqual(from.ids());
  return ended.summary.waits ?? 0;
}

test.each<[FaultName, number, number]>([
  ['gmail-user-rate-limit', 0.2, 0.6],
  ['gmail-rate-limit', 0.2, 0.6],
  ['gmail-too-many-concurrent', 0.2, 0.6],
  ['gmail-too-many-requests', 1, 2],
])('%s: the run waits %d to %d s, then goes on', async (name, least, most) => {
  const waits = await waitOf(stage.gmail, { name });
  expect(waits).toBeGreaterThanOrEqual(least);
  expect(waits).toBeLessThanOrEqual(most);
});

test.each<[FaultName, number, number]>([
  ['github-primary-limit', 1, 4],
  ['github-primary-limit-retry-after', 1, 2],
  ['github-reset-in-past', 1, 2],
  ['github-secondary-limit', 1, 2],
  ['github-secondary-limit-429', 1, 2],
  ['github-secondary-limit-bare', 60, 61],
])('%s: the run waits %d to %d s, then goes on', async (name, least, most) => {
  const waits = await waitOf(stage.github, { name });
  expect(waits).toBeGreaterThanOrEqual(least);
  expect(waits).toBeLessThanOrEqual(most);
});

test.each([-7200, 7200])(
  'clock-skew of %d s: no wait is longer or shorter, no change is lost',
  async (seconds) => {
    const skew: FaultSpec = { name: 'clock-skew', times: FOR_LONG, options: { seconds } };
    const limit: FaultSpec = { name: 'github-primary-limit', options: { seconds: 30 } };
    const waits = await waitOf(stage.github, skew, limit);
    expect(waits).toBeGreaterThanOrEqual(29);
    expect(waits).toBeLessThanOrEqual(32);
    expect(await waitOf(stage.gmail, skew)).toBe(0);
    for (const from of [stage.gmail, stage.github]) {
      from.insert();
      expect(await stage.run(from)).toMatchObject({ status: 'finished', summary: { incremental: true } });
      expect(await stage.stored(from)).toEqual(from.ids());
    }
  },
);

/** Waits until a run is given back to wait. @returns until when, as its user is told */
async function awaitRest(id: string): Promise<Date> {
  const { db } = stage.server.product.context;
  let rest: Date | undefined;
  await until(async () => {
    const { rows } = await db.execute<{ waiting_until: Date | string }>(
      sql`select waiting_until from syncs where id = ${id} and lease_owner is null and waiting_until is not null`,
    );
    rest = rows[0] && new Date(rows[0].waiting_until);
    return rest !== undefined;
  });
  return rest as Date;
}

test.each<[FaultName, 'gmail' | 'github', number]>([
  ['gmail-daily-limit', 'gmail', 3600],
  ['gmail-user-rate-limit', 'gmail', 60],
  ['gmail-rate-limit', 'gmail', 60],
  ['gmail-too-many-concurrent', 'gmail', 60],
  ['gmail-too-many-requests', 'gmail', 60],
  ['github-primary-limit', 'github', 3000],
  ['github-secondary-limit', 'github', 3000],
  ['github-secondary-limit-429', 'github', 3000],
  ['github-secondary-limit-bare', 'github', 60],
  ['github-reset-in-past', 'github', 60],
])('%s for long: the run of %s rests %d s, says so, and goes on by itself', async (name, which, seconds) => {
  const from = stage[which];
  await stage.clear(from);
  const options = name === 'github-reset-in-past' || seconds === 60 ? {} : { options: { seconds } };
  stage.fault({ name, match: { api: from.api }, times: FOR_LONG, ...options });
  const { _id } = await stage.start(from);
  const rest = await awaitRest(_id);
  const ahead = (rest.getTime() - stage.clock.now()) / 1000;
  expect(ahead).toBeGreaterThan(seconds - 30);
  expect(ahead).toBeLessThanOrEqual(seconds + 2);
  expect(await stage.connection(from)).toBe('connected');

  stage.server.control.clearFaults();
  await stage.clock.pause(2 * HOUR, new AbortController().signal);
  const { context } = stage.server.product;
  const { rows } = await context.db.execute<{ user_id: string }>(
    sql`select user_id from syncs where id = ${_id}`,
  );
  await enqueueSync(context, rows[0]?.user_id ?? '', _id);
  expect(await awaitEnd(stage.client, _id)).toMatchObject({ status: 'finished' });
  expect(await stage.stored(from)).toEqual(from.ids());
});

test('batch-part-refused: no batch is sent whose parts could be refused', async () => {
  await stage.clear(stage.gmail);
  const refused = stage.fault({ name: 'batch-part-refused', times: FOR_LONG });
  expect(await stage.run(stage.gmail)).toMatchObject({ status: 'finished' });
  expect(await stage.stored(stage.gmail)).toEqual(stage.gmail.ids());
  expect(refused.seen).toBe(0);
});

test('insufficient-scope at Gmail: the run fails, the connection asks to connect again, which heals it', async () => {
  const { gmail } = stage;
  await stage.clear(gmail);
  const lacking = stage.fault({ name: 'insufficient-scope', match: { api: 'gmail' }, times: FOR_LONG });
  const ended = await stage.run(gmail);
  expect(ended).toMatchObject({
    status: 'failed',
    summary: { errMessage: 'Reading Gmail was not allowed. Connect Gmail again and leave that box ticked.' },
  });
  expect(await stage.connection(gmail)).toBe('reconnect-needed');
  lacking.remove();
  expect(await stage.reconnect(gmail)).toBe('google');
  expect(await stage.run(gmail)).toMatchObject({ status: 'finished' });
  expect(await stage.stored(gmail)).toEqual(gmail.ids());
});

test.each<[FaultName, RegExp]>([
  ['insufficient-scope', /does not allow access to this repository. Allow it for this app on GitHub/],
  ['sso-required', /requires single sign-on: allow this app there/],
  ['access-blocked', /blocked this repository for legal reasons/],
])(
  '%s at GitHub: the run fails and says why; the connection and what is stored stay',
  async (name, message) => {
    const { github } = stage;
    stage.server.control.clearFaults();
    expect(await stage.run(github)).toMatchObject({ status: 'finished' });
    const before = await stage.stored(github);
    stage.fault({ name, match: { api: 'github' }, times: FOR_LONG });
    const ended = await stage.run(github);
    expect(ended.status).toBe('failed');
    expect(ended.summary.errMessage).toMatch(message);
    expect(await stage.connection(github)).toBe('connected');
    expect(await stage.stored(github)).toEqual(before);
  },
);
