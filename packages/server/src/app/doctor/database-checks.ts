import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requireStoredKeys } from '../../features/connections/index.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/database.ts';
import { isWritable } from '../../platform/db/health.ts';
import { compareSchema, type SchemaState } from '../../platform/db/migrate.ts';
import { findKeyring } from '../../platform/encryption.ts';
import { StartError } from '../../platform/start-error.ts';
import { skewOf } from './clock.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { checkLimits } from './limit-checks.ts';
import { checkSqlRoles } from './sql-role-checks.ts';

/** Largest difference between the clocks of this machine and the database, ms. */
const MAX_SKEW_MS = 2000;

const SCHEMA: Record<SchemaState, Finding> = {
  empty: ok('The database is empty; the first start creates the tables.'),
  older: ok('The database belongs to an earlier version; the next start upgrades it.'),
  current: ok('The tables are those of this version.'),
  newer: problem(
    'The database belongs to a newer version of Datadeck.',
    'Start that version, or restore the backup from before the upgrade.',
  ),
};

interface ServerRow extends Record<string, unknown> {
  version: string;
  encoding: string;
  size: string;
  now: string;
}

async function checkServer(db: Database): Promise<Finding[]> {
  const asked = Date.now();
  const { rows } = await db.$client.query<ServerRow>(
    `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      pg_size_pretty(pg_database_size(current_database())) as size, extract(epoch from clock_timestamp()) * 1000 as now`,
  );
  const { version = '', encoding, size, now } = rows[0] ?? {};
  const skewMs = skewOf(Number(now), asked);
  return [
    Number.parseInt(version, 10) < 15
      ? problem(`The database is PostgreSQL ${version}.`, 'Datadeck needs PostgreSQL 15 or newer.')
      : ok(`The database is PostgreSQL ${version} and takes ${size}.`),
    ...(encoding === 'UTF8'
      ? []
      : [problem(`The database has the encoding ${encoding}.`, 'Create a database with UTF8.')]),
    ...((await isWritable(db))
      ? []
      : [problem('The database is read-only: it is a standby.', 'Set DATABASE_URL to the primary.')]),
    skewMs > MAX_SKEW_MS
      ? warning(
          `The clocks of this machine and of the database differ by ${(skewMs / 1000).toFixed(0)} s.`,
          'Synchronise both with NTP; until then sessions and schedules end or begin at the wrong time.',
        )
      : ok('The clocks of this machine and of the database agree.'),
  ];
}

async function checkKeys(db: Database, config: Config): Promise<Finding> {
  const file = join(config.DATA_DIR, 'encryption.key');
  if (config.ENCRYPTION_KEY === undefined && !existsSync(file))
    return problem(
      `The encryption key ${file} is missing.`,
      'Copy it from a backup, or set ENCRYPTION_KEY. With a new key, all providers must be connected again.',
    );
  try {
    await requireStoredKeys(db, findKeyring(config.ENCRYPTION_KEY, config.DATA_DIR));
    return ok('The stored tokens can be decrypted.');
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return problem('The stored tokens cannot be decrypted.', error.message);
  }
}

/** Checks a database that answers: suitable, its tables, clock, encryption keys and SQL roles, and the limits of its entities. */
export async function checkOpenDatabase(db: Database, config: Config): Promise<Finding[]> {
  const server = await checkServer(db);
  const schema = await compareSchema(db.$client);
  const keys = schema === 'older' || schema === 'current' ? [await checkKeys(db, config)] : [];
  const roles = schema === 'current' ? await checkSqlRoles(db) : [];
  const limits = await checkLimits(config, schema === 'current' ? db : undefined);
  return [...server, SCHEMA[schema], ...keys, ...roles, ...limits];
}
