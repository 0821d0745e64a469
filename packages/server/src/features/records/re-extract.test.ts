import {
  type ConvertedRecord,
  type EntityDefinition,
  type JsonObject,
  ProviderError,
} from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { TEST_ENTITY, testRecord } from '../../../test-support/test-entity.ts';
import { type Database, inBulkTransaction } from '../../platform/db/database.ts';
import { backfill, type StoredEntity, writeRecords } from './index.ts';

const RECORDS = 20;
let db: Database;
let close: () => Promise<void>;
let source: { userId: string; connectionId: string; entity: string };

beforeAll(async () => {
  ({ db, close } = await openTestDatabase());
});
afterAll(() => close?.());
beforeEach(async () => {
  await db.execute(sql`delete from test_things`);
  await db.execute(sql`delete from record_undo`);
  await db.execute(sql`delete from record_versions`);
  source = { userId: crypto.randomUUID(), connectionId: crypto.randomUUID(), entity: TEST_ENTITY.id };
  await write('old');
  await write('new');
});

/** Writes all records in one run, so that the one before can be undone. */
async function write(value: string): Promise<void> {
  const target = { ...source, scope: 'a', syncId: crypto.randomUUID() };
  const records = Array.from({ length: RECORDS }, (_, index) =>
    testRecord({ id: `${index}`, occurredAt: new Date(index), data: { id: `${index}`, value } }),
  );
  await inBulkTransaction(db, (tx) => writeRecords(tx, target, { entity: TEST_ENTITY, records }));
}

/** Returns the entity with the next extraction, which copies `value` to the title. */
function upgradedBy(convert: (data: JsonObject) => Promise<ConvertedRecord>): EntityDefinition {
  const upgraded: StoredEntity = { ...TEST_ENTITY, extraction: 2, convert };
  return upgraded as EntityDefinition;
}

const converted = (data: JsonObject): ConvertedRecord => ({ data, columns: { title: String(data.value) } });

async function titles(): Promise<{ stored: unknown[]; undo: unknown[] }> {
  const stored = await db.execute(sql`select title, extraction from test_things order by id::int`);
  const undo = await db.execute(
    sql`select row->>'title' as title, extraction from record_undo order by id::int`,
  );
  return { stored: stored.rows, undo: undo.rows };
}

const all = (row: object) => Array(RECORDS).fill(row);

describe('backfill with an asynchronous conversion', () => {
  it('converts a page of records, and of pre-images, in one turn each', async () => {
    const sizes: number[] = [];
    let waiting = 0;
    const convert = async (data: JsonObject) => {
      waiting++;
      await new Promise((resolve) => setImmediate(resolve));
      if (waiting > 0) sizes.push(waiting);
      waiting = 0;
      return converted(data);
    };
    await backfill(db, [upgradedBy(convert)]);
    expect(sizes).toEqual([RECORDS, RECORDS]);
    expect(await titles()).toEqual({
      stored: all({ title: 'new', extraction: 2 }),
      undo: all({ title: 'old', extraction: 2 }),
    });
  });

  it('leaves the columns of one document empty that can never be converted', async () => {
    const convert = async (data: JsonObject) => {
      if (data.id === '3') throw new ProviderError('malformed', 'not readable');
      return converted(data);
    };
    await backfill(db, [upgradedBy(convert)]);
    const { stored } = await titles();
    const expected = all({ title: 'new', extraction: 2 }).with(3, { title: null, extraction: 2 });
    expect(stored).toEqual(expected);
  });

  it('leaves records as they are while they cannot be converted', async () => {
    const before = await titles();
    const failures: unknown[] = [];
    const unavailable = async () => {
      throw new ProviderError('unavailable', 'the thread ended');
    };
    await backfill(db, [upgradedBy(unavailable)], { onFailure: (_, error) => failures.push(error) });
    expect(failures).toMatchObject([{ failure: 'unavailable' }]);
    expect(await titles()).toEqual(before);
    await backfill(db, [upgradedBy(async (data) => converted(data))]);
    expect((await titles()).stored).toEqual(all({ title: 'new', extraction: 2 }));
  });
});
