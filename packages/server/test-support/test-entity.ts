import type { ColumnValues, ConnectorRecord } from '@datadeck/connectors';
import { prepareRecordTables, type StoredEntity } from '../src/features/records/index.ts';
import type { Database } from '../src/platform/db/database.ts';

/** An entity with a column of each type, for storage tests. */
export const TEST_ENTITY: StoredEntity = {
  id: 'test-things',
  extraction: 1,
  convert: (data) => ({ data, columns: {} }),
  table: {
    name: 'test_things',
    title: 'title',
    columns: {
      title: { type: 'text', copies: ['title'] },
      total: { type: 'integer' },
      bytes: { type: 'bigint' },
      share: { type: 'double precision' },
      unread: { type: 'boolean' },
      seen_at: { type: 'timestamptz' },
      labels: { type: 'text[]' },
    },
  },
};

/** Creates a record of the test entity; missing columns are null. */
export function testRecord(
  given: Omit<ConnectorRecord, 'columns'> & { columns?: ColumnValues },
): ConnectorRecord {
  const none = Object.fromEntries(Object.keys(TEST_ENTITY.table.columns).map((name) => [name, null]));
  return { ...given, columns: { ...none, ...given.columns } };
}

/** Creates the test entity's table in a server's database. */
export async function prepareTestEntity(db: Database): Promise<void> {
  const client = await db.$client.connect();
  try {
    await prepareRecordTables(client, [TEST_ENTITY]);
  } finally {
    client.release();
  }
}
