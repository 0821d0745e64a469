import { eq, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { INSUFFICIENT_PRIVILEGE, sqlState } from '../../platform/db/failures.ts';
import { Isolated } from '../../platform/jobs/isolated.ts';
import type { QueueDefinition } from '../../platform/jobs/jobs.ts';
import { isSuperuser, restrictStatements, SUPERUSER_SETTINGS } from './roles.ts';
import { sqlRoles } from './tables.ts';

export const SQL_ROLE_QUEUE: QueueDefinition = {
  name: 'sql-roles',
  expireInSeconds: 300,
  retryLimit: 0,
};

/** What the guard needs of the product. */
type Guarded = Pick<Context, 'db' | 'log'>;

/** Longest transaction of a role, s: longer ones would hold back vacuum and upgrades. */
const MAX_TRANSACTION = 300;

/**
 * Ends sessions of SQL roles whose transaction has lasted this long, s. On a server where the product may not see the
 * transactions of other roles (`pg_read_all_stats`), it finds none.
 * @throws after all sessions were tried, the first error of those that the product may not end
 */
export async function endLongSqlSessions(db: Queryable, seconds = MAX_TRANSACTION): Promise<void> {
  const { rows } = await db.execute<{ pid: number }>(sql`
    select a.pid from pg_stat_activity a join sql_roles s on s.role = a.usename
    where a.xact_start < now() - ${seconds} * interval '1 second'`);
  const refused: unknown[] = [];
  for (const { pid } of rows)
    await db.execute(sql`select pg_terminate_backend(${pid})`).catch((error) => refused.push(error));
  if (refused.length > 0) throw refused[0];
}

/**
 * Ends the open transactions of SQL roles, as far as the product may, before the schema is changed: a lock of a reader
 * would hold up the start.
 */
export async function endSqlTransactions(db: Queryable): Promise<void> {
  const { rows } = await db.execute<{ stored: boolean }>(
    sql`select to_regclass('public.sql_roles') is not null as stored`,
  );
  if (!rows[0]?.stored) return;
  await endLongSqlSessions(db, 0).catch((error) => {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error;
  });
}

/** Part of PostgreSQL's queue of notifications above which transactions of roles are ended: they keep it from being emptied. */
const FULL_QUEUE = 0.25;

interface CheckedRole extends Record<string, unknown> {
  role: string;
  /** Its settings, as `name=value`. */
  settings: string[] | null;
}

/** Lists the roles that exist in the database server, with their settings. */
async function listExisting(db: Database): Promise<CheckedRole[]> {
  const { rows } = await db.execute<CheckedRole>(sql`
    select s.role, r.rolconfig as settings from sql_roles s join pg_roles r on r.rolname = s.role order by s.role`);
  return rows;
}

function isRestricted({ settings }: CheckedRole): boolean {
  return Object.entries(SUPERUSER_SETTINGS).every(([name, value]) => settings?.includes(`${name}=${value}`));
}

/** Returns the statements that a superuser must run so that the existing roles cannot fill the disk. */
export async function listMissingRestrictions(db: Database): Promise<string[]> {
  const roles = await listExisting(db);
  return roles.filter((role) => !isRestricted(role)).flatMap(({ role }) => restrictStatements(role));
}

/** Lists the roles whose password is another one than at their creation. Needs a superuser. */
export async function listChangedPasswords(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ role: string }>(sql`
    select s.role from sql_roles s join pg_authid a on a.rolname = s.role
    where s.verifier is not null and s.verifier is distinct from a.rolpassword order by s.role`);
  return rows.map(({ role }) => role);
}

/**
 * Puts back the password of a role that it has changed, as PostgreSQL lets every role do, and ends its sessions.
 * @returns whether it had changed
 */
async function restorePassword(db: Database, role: string): Promise<boolean> {
  const { rows } = await db.execute<{ stored: string | null; verifier: string | null }>(sql`
    select s.verifier as stored, a.rolpassword as verifier
    from sql_roles s join pg_authid a on a.rolname = s.role where s.role = ${role}`);
  const [{ stored, verifier } = { stored: null, verifier: null }] = rows;
  if (stored === null) {
    await db.update(sqlRoles).set({ verifier }).where(eq(sqlRoles.role, role));
    return false;
  }
  if (stored === verifier) return false;
  await db.execute(sql.raw(`alter role ${role} password '${stored}'`));
  await db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role}`);
  return true;
}

/** Ends sessions of roles in a transaction when the queue of notifications fills. */
async function emptyNotifications(db: Database): Promise<void> {
  const { rows } = await db.execute<{ full: boolean }>(
    sql`select pg_notification_queue_usage() > ${FULL_QUEUE} as full`,
  );
  if (rows[0]?.full) await endLongSqlSessions(db, 0);
}

/** Puts back what a role may have changed or, from an earlier version, lacks. Needs a superuser. */
async function guardRole({ db, log }: Guarded, checked: CheckedRole): Promise<void> {
  const { role } = checked;
  if (await restorePassword(db, role))
    log.warn({ role }, 'a SQL role had changed its password; it was put back and its sessions were ended');
  if (isRestricted(checked)) return;
  for (const statement of restrictStatements(role)) await db.execute(sql.raw(statement));
}

/**
 * Keeps SQL roles within their limits: puts back changed passwords and missing settings, ends long transactions. Where the
 * product is no superuser, it only ends transactions, as far as it may.
 */
export async function guardSqlRoles({ db, log }: Guarded): Promise<void> {
  const roles = await listExisting(db);
  if (roles.length === 0) return;
  const guarded = (await isSuperuser(db)) ? roles : [];
  const steps: [name: string, run: () => Promise<void>][] = [
    ...guarded.map((role): (typeof steps)[number] => [role.role, () => guardRole({ db, log }, role)]),
    ['notifications', () => emptyNotifications(db)],
    ['long transactions', () => endLongSqlSessions(db)],
  ];
  const isolated = new Isolated<(typeof steps)[number]>(log, 'the check of SQL roles', ([name]) => name);
  await isolated.forEach(steps, ([, run]) => run());
  isolated.throwIfFailed();
}

/** Schedules the guard each minute, in one worker at a time. */
export async function scheduleSqlRoleGuard({ db, jobs, log }: Context): Promise<void> {
  await jobs.work(SQL_ROLE_QUEUE.name, { concurrency: 1 }, () => guardSqlRoles({ db, log }));
  await jobs.schedule(SQL_ROLE_QUEUE.name, '* * * * *');
}
