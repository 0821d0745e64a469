import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupFixture, FIXTURE_KEY } from '../../test-support/backups/fixtures.ts';
import { RELEASE, unpackFixture } from '../../test-support/release-fixture.ts';
import { outputOf } from '../../test-support/run-command.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../test-support/temporary-folder.ts';
import { createEmptyDatabase } from '../../test-support/test-database.ts';
import { type BackupKeys, verifyBackup } from '../platform/backup/index.ts';
import { parseConfig } from '../platform/config/config.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { compareSchema } from '../platform/db/migrate.ts';
import { createLogger } from '../platform/log.ts';
import { requireRestorable, restoreFrom } from './backup.ts';

const encrypted = { key: FIXTURE_KEY };

let folder: string;
beforeAll(() => {
  folder = makeTemporaryFolder('datadeck-former-');
});
afterAll(() => removeDataFolder(folder));

/** Restores a fixture into a new database. @param check runs with the migrated database */
async function restore(
  name: string,
  keys: BackupKeys,
  check: (db: Database, dataDir: string) => Promise<void>,
): Promise<void> {
  const database = await createEmptyDatabase();
  const db = openDatabase({ connectionString: database.url }, createLogger('silent'), 2);
  const dataDir = join(folder, name);
  const config = parseConfig({ DATA_DIR: dataDir });
  try {
    const file = backupFixture(name);
    await requireRestorable(file, keys);
    const { header } = await restoreFrom(db, config, { file, keys, signal: new AbortController().signal });
    expect(header.version).toBe('0.2.0');
    expect(await compareSchema(db.$client)).toBe('current');
    await check(db, dataDir);
  } finally {
    await db.$client.end();
    await database.drop();
  }
}

/** Counts the rows of a backup's tables after a restore, of those that still exist. */
async function countRestored(
  db: Database,
  tables: readonly { name: string }[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const { rows: found } = await db.$client.query('select to_regclass($1) as name', [`public.${name}`]);
    if (found[0]?.name === null) continue;
    const { rows } = await db.$client.query<{ count: number }>(
      `select count(*)::int as count from "${name}"`,
    );
    counts.set(name, rows[0]?.count ?? 0);
  }
  return counts;
}

describe('a backup of a former format', () => {
  it('of the data of release 0.2.0 is restored with all rows and its key', async () => {
    await restore('0.2.0.backup', encrypted, async (db, dataDir) => {
      const { header, tables } = await verifyBackup(backupFixture('0.2.0.backup'), encrypted);
      const restored = await countRestored(db, tables);
      const kept = tables.filter(({ name }) => restored.has(name));
      expect(Object.fromEntries(restored)).toEqual(
        Object.fromEntries(kept.map(({ name, rows }) => [name, rows])),
      );
      expect(restored.get('gmail_messages')).toBe(244);
      expect(restored.get('gh_pulls')).toBe(175);
      expect(readFileSync(join(dataDir, 'encryption.key'), 'utf8')).toBe(header.keyFile);
    });
  });

  it.each([
    ['format-1.backup', {}],
    ['format-1-encrypted.backup', encrypted],
  ])('is restored with its values (%s)', async (name, keys) => {
    await restore(name, keys, async (db) => {
      const { rows } = await db.$client.query(
        'select u.name, count(*)::int as queries, min(title) as title from users u join saved_queries q on q.user_id = u.id group by u.name order by 1',
      );
      expect(rows).toEqual([
        { name: 'Ada\tN\\owak\n', queries: 3, title: 'Größe 1' },
        { name: 'Bo', queries: 3, title: 'Größe 1' },
      ]);
    });
  });
});

// The folder was written on Linux; other systems lack its locale.
describe.skipIf(process.platform !== 'linux')('the data folder of release 0.2.0', () => {
  it('is backed up before its upgrade, and restored', async () => {
    const dataDir = unpackFixture(RELEASE);
    const file = join(folder, 'before-upgrade.tar.gz');
    const database = await createEmptyDatabase();
    try {
      await outputOf(['backup', file], { DATA_DIR: dataDir });
      const { tables } = await verifyBackup(file, {});
      expect(tables.find(({ name }) => name === 'gmail_messages')?.rows).toBe(244);
      const settings = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'after-upgrade') };
      expect(await outputOf(['restore', file], settings)).toMatch(/^Restored the state of .*need a key/s);
    } finally {
      await database.drop();
      removeDataFolder(dataDir);
    }
  });
});
