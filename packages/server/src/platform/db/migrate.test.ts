import { describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { migrateDatabase } from './migrate.ts';

describe('migrateDatabase', () => {
  // @covers 10.database-newer-version
  it('refuses a database that a newer version has migrated', async () => {
    const { db, close } = await openTestDatabase();
    await db.$client.query(
      "insert into datadeck_migrations (hash, created_at) values ('of the future', (extract(epoch from now()) * 1000)::bigint + 1e12::bigint)",
    );
    await expect(migrateDatabase(db.$client)).rejects.toThrow('belongs to a newer version of Datadeck');
    await close();
  });
});
