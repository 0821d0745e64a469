import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { TEST_ENTITY, testRecord } from '../../../test-support/test-entity.ts';
import { type Database, inBulkTransaction } from '../../platform/db/database.ts';
import { recordSetOf, removeRecords, undoSync, withRecordsBefore, writeRecords } from '../records/index.ts';
import { listReachableRuns, requireReach, runsAfter } from './as-of.ts';
import { syncs } from './tables.ts';

const RUNS = 200;
const IDS = 60;
let db: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ db, close } = await openTestDatabase());
});
afterAll(() => close?.());

/** A user with two accounts, random runs over their records, and a full copy of all rows at the end of each run. */
class History {
  readonly userId = crypto.randomUUID();
  readonly accounts = ['ada', 'octo'].map((account) => ({ connectionId: crypto.randomUUID(), account }));
  readonly set = recordSetOf(this.userId, TEST_ENTITY, this.accounts);
  readonly sources = { set: this.set, entities: [TEST_ENTITY.id] };
  readonly copies = new Map<string, unknown[]>();
  readonly #random: () => number;
  #number = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  /** Reads all rows, with their documents as text. */
  async rows(): Promise<unknown[]> {
    const { rows } = await db.execute(sql`
      select to_jsonb(r) - 'data' as columns, r.data::text as document from test_things r
      where r.user_id = ${this.userId} order by r.connection_id, r.id`);
    return rows;
  }

  async rowsAsOf(id: string): Promise<unknown[]> {
    const before = [{ entity: TEST_ENTITY.id, runs: runsAfter(this.set, TEST_ENTITY.id, id) }];
    const { rows } = await db.execute(
      withRecordsBefore(
        this.set,
        before,
        sql`select to_jsonb(r) - 'data' as columns, r.data::text as document from test_things r
          where r.user_id = ${this.userId} order by r.connection_id, r.id`,
      ),
    );
    return rows;
  }

  /** Stores a run of at most 20 changes in several pages. @returns its id */
  async run(status: 'finished' | 'failed' | 'started'): Promise<string> {
    const { connectionId } = this.accounts[this.#below(2)] as { connectionId: string };
    const id = crypto.randomUUID();
    const number = ++this.#number;
    const ended = new Date(Date.UTC(2026, 0, 1) + number * 1000);
    await db.insert(syncs).values({
      userId: this.userId,
      id,
      connectionId,
      provider: 'test',
      entity: TEST_ENTITY.id,
      scope: '',
      settings: {},
      number,
      status,
      updatedAt: ended,
      counters: {},
      phase: 'done',
    });
    const target = { userId: this.userId, connectionId, entity: TEST_ENTITY.id, syncId: id };
    for (let page = 0; page < 2; page++) {
      const scoped = { ...target, scope: this.#random() < 0.3 ? 'b' : 'a' };
      const ids = Array.from({ length: this.#below(7) }, () => String(this.#below(IDS)));
      const records = ids.map((one) =>
        testRecord({
          id: one,
          occurredAt: new Date(Date.UTC(2026, 0, 1, 0, Number(one))),
          data: { id: one, value: this.#below(4) },
          columns: { title: `Title ${this.#below(3)}` },
        }),
      );
      await inBulkTransaction(db, (tx) => writeRecords(tx, scoped, { entity: TEST_ENTITY, records }));
      const gone = Array.from({ length: this.#below(4) }, () => String(this.#below(IDS)));
      await removeRecords(db, scoped, gone);
    }
    return id;
  }

  /** Undoes a run that has just ended. */
  async undo(id: string): Promise<void> {
    const { rows } = await db.execute<{ connection_id: string }>(sql`
      delete from syncs where user_id = ${this.userId} and id = ${id} returning connection_id`);
    const connectionId = rows[0]?.connection_id ?? '';
    await db.transaction((tx) =>
      undoSync(tx, { userId: this.userId, connectionId, entity: TEST_ENTITY.id }, id),
    );
  }

  /** Plays runs, some of which fail or are undone, with a copy of the rows at the end of each that stays. */
  async play(): Promise<void> {
    while (this.copies.size < RUNS) {
      const id = await this.run(this.#random() < 0.2 ? 'failed' : 'finished');
      if (this.#random() < 0.15) await this.undo(id);
      else this.copies.set(id, await this.rows());
    }
    await this.run('started');
  }
}

describe('records as of a run', () => {
  it.each([1, 2])(
    'are those of a full copy, for each of 200 runs of a random history (seed %i)',
    async (seed) => {
      const history = new History(seed);
      await history.play();
      const counts = new Set<number>();
      for (const [id, copy] of history.copies) {
        await requireReach(db, history.sources, id);
        expect(await history.rowsAsOf(id)).toEqual(copy);
        counts.add(copy.length);
      }
      expect(counts.size).toBeGreaterThan(10);
    },
  );

  it('reach as far back as the undo logs of all sources', async () => {
    const history = new History(3);
    const ids: string[] = [];
    for (let run = 0; run < 8; run++) ids.push(await history.run('finished'));
    const list = () => listReachableRuns(db, [history.sources], { limit: 100, offset: 0 });
    expect(await list()).toMatchObject({ count: 8, isCut: false });
    await db.execute(sql`update syncs set undoable = false where id = ${ids[3]}`);
    const { results, count, isCut } = await list();
    expect(results.map(({ _id }) => _id)).toEqual(ids.slice(3).toReversed());
    expect([count, isCut]).toEqual([5, true]);
    await requireReach(db, history.sources, ids[3] ?? '');
    await expect(requireReach(db, history.sources, ids[2] ?? '')).rejects.toMatchObject({
      code: 'validation-failed',
    });
    const running = await history.run('started');
    expect((await list()).count).toBe(5);
    await expect(requireReach(db, history.sources, running)).rejects.toThrow('has not ended');
    await expect(requireReach(db, history.sources, crypto.randomUUID())).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});
