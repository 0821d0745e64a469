import { type Config, parseConfig } from '../platform/config/config.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { migrateDatabase } from '../platform/db/migrate.ts';
import { failedDatabase, unusableDatabase } from '../platform/db/unusable.ts';
import { hasDatabase } from '../platform/embedded-postgres/cluster-paths.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../platform/embedded-postgres/launcher.ts';
import { createLogger } from '../platform/log.ts';
import { StartError } from '../platform/start-error.ts';

/**
 * Runs `work` with the database of the settings as it is, without a connection pooler. Uses the embedded server of a running Datadeck, or starts it
 * for the duration of `work`.
 * @param isCreated creates the embedded database if there is none
 * @throws StartError when there is no database, and what `work` throws
 */
export async function withUnmigratedDatabase<T>(
  config: Config,
  work: (db: Database) => Promise<T>,
  { isCreated = false }: { isCreated?: boolean } = {},
): Promise<T> {
  const log = createLogger('error');
  if (config.DATABASE_URL === undefined && !isCreated && !hasDatabase(config.DATA_DIR))
    throw new StartError(
      `There is no database in ${config.DATA_DIR}. Set DATA_DIR or DATABASE_URL to the values that Datadeck uses.`,
    );
  const running =
    config.DATABASE_URL === undefined
      ? await findRunningPostgres(config.DATA_DIR)
      : { connectionString: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL };
  const own = running === undefined ? await startEmbeddedPostgres(config.DATA_DIR) : undefined;
  const db = openDatabase(running ?? own?.connection ?? {}, log, 2);
  try {
    await db.$client.query('select').catch((error) => {
      throw unusableDatabase(error, config);
    });
    return await work(db);
  } catch (error) {
    throw failedDatabase(error);
  } finally {
    await db.$client.end();
    await own?.stop();
  }
}

/**
 * Runs `work` with the database of the settings, migrated to this version.
 * @throws StartError when there is no database, for wrong settings, and what `work` throws
 */
export async function withDatabase<T>(work: (db: Database, config: Config) => Promise<T>): Promise<T> {
  const config = parseConfig(process.env);
  return withUnmigratedDatabase(config, async (db) => {
    await migrateDatabase(db.$client);
    return work(db, config);
  });
}
