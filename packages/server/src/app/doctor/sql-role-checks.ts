import { sql } from 'drizzle-orm';
import {
  isSuperuser,
  listChangedPasswords,
  listMissingRestrictions,
  listRevokes,
} from '../../features/sql-access/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Returns a warning with the statements that an administrator must run, or nothing if there are none. */
function missing(text: string, statements: readonly string[]): Finding[] {
  const advice = `Ask an administrator of the database to run: ${statements.join('; ')};`;
  return statements.length === 0 ? [] : [warning(text, advice)];
}

/** Checks that SQL roles can only read, cannot fill the disk, and have their own passwords. */
export async function checkSqlRoles(db: Database): Promise<Finding[]> {
  const { rows } = await db.execute(sql`select from sql_roles limit 1`);
  if (rows.length === 0) return [];
  const findings = [
    ...missing(
      'SQL roles can fill the disk by messages and temporary files.',
      await listMissingRestrictions(db),
    ),
    ...missing(
      'Every role of the database may store objects, take locks or run code.',
      await listRevokes(db.$client),
    ),
  ];
  if (!(await isSuperuser(db)))
    return [
      ...findings,
      warning(
        'Whether SQL roles have changed their passwords is unknown: the database user may not read them.',
        'Revoke a role whose password may be known to others, and create it again.',
      ),
    ];
  const changed = await listChangedPasswords(db);
  if (changed.length > 0)
    findings.push(
      warning(
        `SQL roles have changed their passwords: ${changed.join(', ')}.`,
        'A running Datadeck puts them back within a minute. Otherwise revoke the roles and create them again.',
      ),
    );
  return findings.length > 0 ? findings : [ok('SQL roles can only read.')];
}
