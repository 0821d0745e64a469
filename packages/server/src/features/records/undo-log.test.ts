import type { ConnectorRecord } from '@datadeck/connectors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestDocuments } from '../../../test-support/read-documents.ts';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { TEST_ENTITY, testRecord } from '../../../test-support/test-entity.ts';
import { type Database, inBulkTransaction } from '../../platform/db/database.ts';
import {
  type LoggedRun,
  readChange,
  readChanges,
  readVersions,
  removeRecords,
  trimScope,
  undoSync,
  writeRecords,
} from './index.ts';

let db: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ db, close } = await openTestDatabase());
});
afterAll(() => close?.());

const ALL = { kind: undefined, limit: 1000, offset: 0 };

interface Document {
  id: string;
  value: number;
}
type Snapshot = Map<string, Document>;

function record(id: string, value: number): ConnectorRecord {
  return testRecord({
    id,
    occurredAt: new Date(Date.UTC(2026, 0, 1, 0, Number(id))),
    data: { id, value },
    columns: { title: `Title ${id}` },
  });
}

/** A new user with random runs over their records. */
class History {
  readonly source = {
    userId: crypto.randomUUID(),
    connectionId: crypto.randomUUID(),
    entity: TEST_ENTITY.id,
    declared: TEST_ENTITY,
  };
  readonly runs: LoggedRun[] = [];
  /** The records before the first run and after each run. */
  readonly states: Snapshot[] = [new Map()];

  async run(random: () => number): Promise<void> {
    const number = this.runs.length + 1;
    const run: LoggedRun = { id: crypto.randomUUID(), number, at: new Date(number).toISOString() };
    const target = { ...this.source, syncId: run.id, scope: random() < 0.3 ? 'b' : 'a' };
    const pick = () => String(Math.floor(random() * 12));
    for (let page = 0; page < 2; page++) {
      const written = Array.from({ length: 4 }, () => record(pick(), Math.floor(random() * 3)));
      await inBulkTransaction(db, (tx) =>
        writeRecords(tx, target, { entity: TEST_ENTITY, records: written }),
      );
      await removeRecords(db, target, [pick(), pick()]);
    }
    if (random() < 0.3) await trimScope(db, target, 4);
    this.runs.push(run);
    this.states.push(await this.stored());
  }

  async stored(): Promise<Snapshot> {
    const results = await newestDocuments(db, this.source);
    return new Map((results as Document[]).map((document) => [document.id, document]));
  }

  /** Computes the changes between two states. */
  expected(index: number) {
    const before = this.states[index] as Snapshot;
    const after = this.states[index + 1] as Snapshot;
    const ids = [...new Set([...before.keys(), ...after.keys()])];
    return ids.flatMap((recordId) => {
      const [old, now] = [before.get(recordId) ?? null, after.get(recordId) ?? null];
      if (old?.value === now?.value) return [];
      const kind = old === null ? 'added' : now === null ? 'removed' : 'updated';
      return [{ recordId, kind, before: old, after: now }];
    });
  }

  async check(): Promise<void> {
    for (const [index, { id }] of this.runs.entries()) {
      const run = { id, later: this.runs.slice(index + 1) };
      const { results, counts } = await readChanges(db, this.source, run, ALL);
      const expected = this.expected(index);
      const listed = results.map(({ recordId, kind }) => `${recordId} ${kind}`).sort();
      expect(listed).toEqual(expected.map(({ recordId, kind }) => `${recordId} ${kind}`).sort());
      expect(counts.added + counts.updated + counts.removed).toBe(expected.length);
      for (const { title, recordId } of results) expect(title).toBe(`Title ${recordId}`);
      for (const { recordId, ...change } of expected)
        expect(await readChange(db, this.source, run, recordId)).toEqual(change);
    }
  }

  versions(recordId: string) {
    const findRun = async (id: string) => this.runs.find((run) => run.id === id);
    return readVersions(db, this.source, this.runs, { recordId, findRun });
  }
}

describe('readChanges', () => {
  // Property: for random runs, the reported changes of a run are the differences between the states around it.
  it('returns the differences between random states, also after an undo', async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = seededRandom(seed);
      const history = new History();
      for (let round = 0; round < 6; round++) await history.run(random);
      await history.check();
      await undoSync(db, history.source, history.runs.at(-1)?.id ?? '');
      history.runs.pop();
      history.states.pop();
      await history.check();
      await history.run(random);
      await history.check();
    }
  });

  it('returns pages by kind, and nothing for other users and records', async () => {
    const history = new History();
    await history.run(seededRandom(3));
    const [first] = history.runs as [LoggedRun];
    const run = { id: first.id, later: [] };
    const page = (limit: number, offset: number) =>
      readChanges(db, history.source, run, { kind: 'added', limit, offset });

    const all = (await page(100, 0)).results;
    expect(all.length).toBeGreaterThan(2);
    expect([...(await page(2, 0)).results, ...(await page(100, 2)).results]).toEqual(all);
    expect((await readChanges(db, history.source, run, { ...ALL, kind: 'removed' })).results).toEqual([]);
    expect(await readChange(db, history.source, run, "'; drop table records; --")).toBeUndefined();
    expect(await history.versions('never')).toBeUndefined();

    const stranger = { ...history.source, userId: crypto.randomUUID() };
    expect((await readChanges(db, stranger, run, ALL)).results).toEqual([]);
    expect(await readChange(db, stranger, run, all[0]?.recordId ?? '')).toBeUndefined();
  });
});

describe('readVersions', () => {
  it('returns each run that changed the record, newest first', async () => {
    const random = seededRandom(7);
    const history = new History();
    for (let round = 0; round < 8; round++) await history.run(random);

    for (let id = 0; id < 12; id++) {
      const recordId = String(id);
      const expected = history.runs
        .flatMap(({ number }, index) => {
          const change = history.expected(index).find((one) => one.recordId === recordId);
          return change ? [{ kind: change.kind, number }] : [];
        })
        .reverse();
      const versions = await history.versions(recordId);
      expect(versions?.results.map(({ kind, sync }) => ({ kind, number: sync?.number })) ?? []).toEqual(
        expected,
      );
    }
  });

  it('names the run of the oldest kept version', async () => {
    const history = new History();
    const random = seededRandom(5);
    for (let round = 0; round < 4; round++) await history.run(random);
    const { runs } = history;
    const [id] = [...(history.states.at(-1)?.keys() ?? [])];
    const findRun = async (syncId: string) => runs.find((run) => run.id === syncId);
    const versions = await readVersions(db, history.source, [], { recordId: id ?? '', findRun });
    const newest = (await history.versions(id ?? ''))?.results[0];
    expect(versions?.results).toEqual([{ kind: 'kept', sync: newest?.sync }]);
  });
});
