import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Plan, SyncSummary } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { AccessTokens, listShownConnections } from '../src/features/connections/index.ts';
import { tableOf } from '../src/features/records/index.ts';
import { deleteLastSync, deleteSyncs, startSync } from '../src/features/sync/index.ts';
import { KilledRun } from './killed-run.ts';
import type { World } from './provider-worlds.ts';
import { seededRandom } from './seeded-random.ts';
import { Client, startTestServer, type TestServer } from './test-server.ts';

/** Number of random histories per entity. The variables HISTORIES and SEED repeat or extend a run. */
const HISTORIES = Number(process.env.HISTORIES ?? 15);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
/** The plan with the smallest cap (10 records), so that histories exceed it. */
export const PLAN: Plan = 'demo';
export const CAP = 10;

type Random = () => number;
const upTo = (random: Random, count: number) => Math.floor(random() * count);

/** A run of a history. */
interface LivedRun {
  ended: { id: string; status: string; errMessage?: string };
  /** The copy before the run. */
  before: unknown[];
  /** Whether it read changes only. */
  isIncremental: boolean;
}

/** Random histories of one user: runs with changes, faults and kills, each compared with the provider. */
export class Histories {
  readonly server: TestServer;
  readonly userId: string;
  #runs = { incremental: 0, full: 0 };

  private constructor(server: TestServer, userId: string) {
    this.server = server;
    this.userId = userId;
  }

  /** Starts a server without a worker, whose only user has connected both providers. */
  static async open(): Promise<Histories> {
    const server = await startTestServer({ ROLE: 'web' });
    const { db } = server.product.context;
    // The database itself is not killed, so commits need not wait for the disk.
    await db.execute(
      sql`do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`,
    );
    const client = await new Client(server).signIn('ada.nowak@sandbox.example');
    await client.connect('google', 'ada.nowak@sandbox.example');
    await client.connect('github', 'ada-nowak');
    const { rows } = await db.execute<{ id: string }>(sql`select id from users`);
    return new Histories(server, rows[0]?.id ?? '');
  }

  /** Returns the access token of the user's connection. */
  async tokenOf(provider: string): Promise<string> {
    const { context, registry } = this.server.product;
    const [connection] = await listShownConnections(context.db, this.userId, { provider });
    if (!connection) throw new Error(`${provider} is not connected`);
    const { accessToken } = await new AccessTokens(context, registry.connector(provider), connection).get(
      false,
    );
    return accessToken;
  }

  /** Runs one sync to its end; kills and resumes it at up to two statements. */
  async perform(
    world: Pick<World, 'provider' | 'entity' | 'settings'>,
    random: Random,
  ): Promise<{ id: string; status: string; errMessage?: string }> {
    const { context, registry } = this.server.product;
    const { userId } = this;
    const { _id: syncId } = await startSync(context, registry, {
      providerId: world.provider,
      entityLabel: world.entity,
      entitySettings: world.settings,
      by: { userId, plan: PLAN },
    });
    const run = new KilledRun(this.server, { userId, syncId });
    for (let kills = upTo(random, 3), alive = true; kills > 0 && alive; kills--)
      alive = await run.killAt(random);
    return { id: syncId, ...(await run.finish()) };
  }

  /** Returns the stored records with all columns, newest first; documents as hashes. */
  stored(entity: string): Promise<Record<string, string>[]> {
    return this.#read(entity, sql`id, (to_jsonb(r) - 'data')::text || md5(data::text) as row`);
  }

  async #read(entity: string, columns: SQL): Promise<Record<string, string>[]> {
    const { rows } = await this.server.product.context.db.execute<Record<string, string>>(sql`
      select ${columns} from ${tableOf({ entity })} r where user_id = ${this.userId}
      order by occurred_at desc, id desc`);
    return rows;
  }

  /** Returns the stored records as `World.newest` does. */
  async #held(world: World): Promise<unknown[]> {
    const rows = await this.#read(world.entity, sql`id, data::text as document`);
    return rows.map(({ id = '', document = '' }) => world.essence(id, JSON.parse(document)));
  }

  /** Checks that the stored records equal the provider's, within scope and cap. @param run the last one */
  async #compare(world: World, run: LivedRun): Promise<void> {
    const held = await this.#held(world);
    const wanted = await world.newest(CAP, run.isIncremental ? run.before : []);
    expect(await this.#count(world.entity)).toBe(held.length);
    // The plain comparison is much faster; the second one reports the difference.
    if (!isDeepStrictEqual(held, wanted)) expect(held).toEqual(wanted);
  }

  /** Runs one sync to its end, with kills, and keeps the copy before it. */
  async #run(world: World, random: Random): Promise<LivedRun> {
    const before = await this.#held(world);
    const ended = await this.perform(world, random);
    const { incremental: isIncremental = false } = await this.#summaryOf(ended.id);
    this.#runs.incremental += isIncremental ? 1 : 0;
    this.#runs.full += isIncremental ? 0 : 1;
    return { ended, before, isIncremental };
  }

  async #summaryOf(syncId: string): Promise<Partial<SyncSummary>> {
    const { rows } = await this.server.product.context.db.execute<{ summary: SyncSummary }>(
      sql`select summary from syncs where user_id = ${this.userId} and id = ${syncId}`,
    );
    return rows[0]?.summary ?? {};
  }

  /** Returns the stored counter of records, which is updated with each change. */
  async #count(entity: string): Promise<number> {
    const { rows } = await this.server.product.context.db.execute<{ count: number }>(sql`
      select sum(records)::int as count from record_versions where user_id = ${this.userId} and entity = ${entity}`);
    return rows[0]?.count ?? 0;
  }

  /** Returns the hashes of the stored records by id. */
  async #hashes(entity: string): Promise<Map<string, string>> {
    const rows = await this.#read(entity, sql`id, hash`);
    return new Map(rows.map(({ id = '', hash = '' }) => [id, hash]));
  }

  /** Checks that the run's summary matches the changes of the stored records. */
  async #checkReceipt(entity: string, syncId: string, before: Map<string, string>): Promise<void> {
    const after = await this.#hashes(entity);
    const kept = [...after].filter(([id]) => before.has(id));
    const {
      added = 0,
      updated = 0,
      unchanged = 0,
      removed = 0,
      entitiesSynced,
    } = await this.#summaryOf(syncId);
    const changed = kept.filter(([id, hash]) => before.get(id) !== hash).length;
    expect({ added, updated, unchanged, removed, entitiesSynced }).toEqual({
      added: after.size - kept.length,
      updated: changed,
      unchanged: kept.length - changed,
      removed: before.size - kept.length,
      entitiesSynced: after.size,
    });
  }

  /** Checks that an unreadable record is still stored if it is among the provider's newest. */
  async #checkKept(world: World, id: string, before: Map<string, string>): Promise<void> {
    const newest = (await world.newest(CAP, [])).map((record) => (record as { id: unknown }).id);
    if (!before.has(id) || !newest.includes(id)) return;
    expect([...(await this.#hashes(world.entity)).keys()]).toContain(id);
  }

  async clear(entity: string): Promise<void> {
    const { db } = this.server.product.context;
    await db.execute(sql`delete from ${tableOf({ entity })} where user_id = ${this.userId}`);
    await db.execute(sql`delete from record_versions where user_id = ${this.userId} and entity = ${entity}`);
    await db.execute(sql`delete from record_undo where user_id = ${this.userId} and entity = ${entity}`);
    await db.execute(sql`delete from record_added where user_id = ${this.userId} and entity = ${entity}`);
    await db.execute(sql`delete from sync_usage where user_id = ${this.userId}`);
    await deleteSyncs(db, this.userId);
  }

  /** Runs one history; sometimes undoes its last run. */
  async #live(world: World, random: Random): Promise<void> {
    await this.clear(world.entity);
    world.begin(random);
    const runs = 1 + upTo(random, 3);
    for (let round = 0; round < runs; round++) {
      for (let changes = upTo(random, 6); changes > 0; changes--) world.change(random);
      const before = await this.stored(world.entity);
      const hashes = await this.#hashes(world.entity);
      for (let faults = upTo(random, 3); faults > 0; faults--) world.spoil(random);
      const failing = random() < 0.15 ? world.fail?.(random) : undefined;
      const isDrifting = random() < 0.2;
      const drift = isDrifting ? nextTurn().then(() => world.change(random)) : undefined;
      let run = await this.#run(world, random);
      const { ended } = run;
      await drift;
      this.server.control.clearFaults();
      expect(ended, JSON.stringify(ended)).toMatchObject({ status: 'finished' });
      await this.#checkReceipt(world.entity, ended.id, hashes);
      if (failing && !isDrifting) await this.#checkKept(world, failing, hashes);
      const isUndone = !isDrifting && random() < 0.3;
      if (isDrifting || (failing && !isUndone)) {
        run = await this.#run(world, random);
        expect(run.ended).toMatchObject({ status: 'finished' });
      }
      if (!failing || !isUndone) await this.#compare(world, run);
      if (isUndone) {
        const { context, registry } = this.server.product;
        await deleteLastSync(context, registry, { userId: this.userId, id: ended.id });
        expect(await this.stored(world.entity)).toEqual(before);
      }
    }
  }

  /** Runs all histories. @throws Error with the seed of the first one that fails */
  async liveAll(world: World, count = HISTORIES): Promise<void> {
    this.#runs = { incremental: 0, full: 0 };
    for (let number = 0; number < count; number++) {
      try {
        await this.#live(world, seededRandom(SEED + number));
      } catch (error) {
        throw new Error(`history of seed ${SEED + number} (${world.entity})`, { cause: error });
      }
    }
    const { incremental, full } = this.#runs;
    const seeds = `seeds ${SEED} to ${SEED + count - 1}`;
    console.log(
      `${count} histories of ${world.entity}, ${incremental} of ${incremental + full} runs incremental, ${seeds}`,
    );
  }
}
