import { describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { lockSchema, migrateDatabase } from './migrate.ts';

describe('migrateDatabase', () => {
  it.each([
    ['pg_trgm', 'The database server has no extension pg_trgm. '],
    ['pg_trgm,unaccent', 'The database server has no extension unaccent and pg_trgm. '],
  ])('refuses a server without %s and says what to install', async (names, sentence) => {
    const { db, close } = await openTestDatabase();
    const client = await db.$client.connect();
    try {
      await client.query(
        `create schema fewer; create view fewer.pg_available_extensions as select * from pg_catalog.pg_available_extensions
          where name <> all ('{${names}}'); set search_path = fewer, pg_catalog, public`,
      );

      await expect(lockSchema(client)).rejects.toThrow(
        `${sentence}They are part of PostgreSQL: install the package postgresql-contrib, then start again.`,
      );
    } finally {
      client.release(true);
      await close();
    }
  });

  it('refuses a database that a newer version has migrated', async () => {
    const { db, close } = await openTestDatabase();
    await db.$client.query(
      "insert into datadeck_migrations (hash, created_at) values ('of the future', (extract(epoch from now()) * 1000)::bigint + 1e12::bigint)",
    );
    await expect(migrateDatabase(db.$client)).rejects.toThrow('belongs to a newer version of Datadeck');
    await close();
  });
});
