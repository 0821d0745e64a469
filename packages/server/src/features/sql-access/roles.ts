import { randomBytes } from 'node:crypto';
import { and, asc, count, eq, sql } from 'drizzle-orm';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { INSUFFICIENT_PRIVILEGE, sqlState } from '../../platform/db/failures.ts';
import { newSecret } from '../../platform/ids.ts';
import { lockAccount } from '../accounts/index.ts';
import { SQL_SCHEMA } from './schema.ts';
import { scramVerifier } from './scram.ts';
import { sqlRoles } from './tables.ts';

const MAX_ROLES = 5;
/** Largest number of sessions of a role at once. */
const CONNECTIONS = 5;
/**
 * Settings of a role that only a superuser may set, and that the role cannot change. Without them a role fills the disk:
 * with messages in the server's log, or with temporary files (this much for each session).
 */
export const SUPERUSER_SETTINGS = {
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
  temp_file_limit: '200MB',
} as const;
/** A role that reads the records of one user. */
export interface SqlRole {
  role: string;
  name: string;
  createdAt: Date;
}

/** A new role, with the password that is not stored. */
export interface CreatedSqlRole {
  role: string;
  password: string;
  /** The statements that a superuser must run, because the product may not create roles; empty if it did. */
  statements: string[];
  /** The statements that a superuser must run so that the role cannot fill the disk; empty if the product did. */
  restrictions: string[];
}

/** Returns the statements that create a role: read-only, with limits that its sessions begin with. */
function createStatements(role: string, verifier: string): string[] {
  const settings = {
    default_transaction_read_only: 'on',
    statement_timeout: "'60s'",
    lock_timeout: "'5s'",
    idle_in_transaction_session_timeout: "'60s'",
    max_parallel_workers_per_gather: '0',
    search_path: SQL_SCHEMA,
  };
  return [
    `create role ${role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls noinherit connection limit ${CONNECTIONS} password '${verifier}'`,
    ...Object.entries(settings).map(([name, value]) => `alter role ${role} set ${name} = ${value}`),
  ];
}

/** Returns the statements with which a superuser limits what a role may write to the disk. */
export function restrictStatements(role: string): string[] {
  return Object.entries(SUPERUSER_SETTINGS).map(
    ([name, value]) => `alter role ${role} set ${name} = '${value}'`,
  );
}

/** Whether the product's own user is a superuser, as in the embedded database. */
export async function isSuperuser(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute<{ rolsuper: boolean }>(
    sql`select rolsuper from pg_roles where rolname = current_user`,
  );
  return rows[0]?.rolsuper ?? false;
}

async function storeRole(db: Database, stored: typeof sqlRoles.$inferInsert) {
  const { userId } = stored;
  await db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    // Two commands at once must not pass the limit together.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 6))`);
    const [counted] = await tx.select({ n: count() }).from(sqlRoles).where(eq(sqlRoles.userId, userId));
    if ((counted?.n ?? 0) >= MAX_ROLES)
      throw new AppError('limit-reached', `The account has ${MAX_ROLES} SQL roles. Revoke one first.`);
    await tx.insert(sqlRoles).values(stored);
  });
}

/**
 * Creates a role of PostgreSQL that reads the records of a user by the views of `createSqlViews`. Where the product may not
 * create roles, it is only stored until a superuser runs the returned statements.
 * @param name what uses it
 * @throws AppError limit-reached
 */
export async function createSqlRole(db: Database, userId: string, name: string): Promise<CreatedSqlRole> {
  const role = `datadeck_sql_${randomBytes(6).toString('hex')}`;
  const password = newSecret();
  const verifier = scramVerifier(password);
  await storeRole(db, { role, userId, name, verifier });
  const statements = [...createStatements(role, verifier), grantConnect(role)];
  const restrictions = restrictStatements(role);
  const restricts = await isSuperuser(db);
  try {
    await db.transaction(async (tx) => {
      for (const statement of restricts ? [...statements, ...restrictions] : statements)
        await tx.execute(sql.raw(statement));
    });
    return { role, password, statements: [], restrictions: restricts ? [] : restrictions };
  } catch (error) {
    if (sqlState(error) === INSUFFICIENT_PRIVILEGE) return { role, password, statements, restrictions };
    await db.delete(sqlRoles).where(eq(sqlRoles.role, role));
    throw error;
  }
}

/** Returns a block, in one line, that lets a role connect where not every role may. */
function grantConnect(role: string): string {
  const grant = `execute format('grant connect on database %I to ${role}', current_database())`;
  return `do $$ begin if not has_database_privilege('${role}', current_database(), 'connect') then ${grant}; end if; end $$`;
}

/** Lists the stored roles of a user, oldest first. */
export async function listSqlRoles(db: Queryable, userId: string): Promise<SqlRole[]> {
  return db
    .select({ role: sqlRoles.role, name: sqlRoles.name, createdAt: sqlRoles.createdAt })
    .from(sqlRoles)
    .where(eq(sqlRoles.userId, userId))
    .orderBy(asc(sqlRoles.createdAt), asc(sqlRoles.role));
}

/**
 * Ends the sessions of a role and drops it, as far as the product may. A role that stays reads nothing, because it has no
 * user any more.
 * @returns whether it is gone
 */
async function dropRole(tx: Queryable, role: string): Promise<boolean> {
  await tx.execute(
    sql.raw(`do $$ begin
      begin
        perform pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}';
      exception when insufficient_privilege then null;
      end;
      execute format('revoke connect on database %I from ${role}', current_database());
      drop role ${role};
    exception when undefined_object or insufficient_privilege or dependent_objects_still_exist then null;
    end $$`),
  );
  const { rows } = await tx.execute(sql`select from pg_roles where rolname = ${role}`);
  return rows.length === 0;
}

/**
 * Revokes a role of a user.
 * @returns the statement that a superuser must run to drop it, because the product may not; undefined if it is gone
 * @throws AppError not-found
 */
export async function revokeSqlRole(db: Database, userId: string, role: string): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const revoked = await tx
      .delete(sqlRoles)
      .where(and(eq(sqlRoles.userId, userId), eq(sqlRoles.role, role)))
      .returning({ role: sqlRoles.role });
    if (revoked.length === 0) throw notFound('This SQL role');
    return (await dropRole(tx, role)) ? undefined : `drop owned by ${role}; drop role ${role}`;
  });
}

/** Revokes all roles of a user. One that the product may not drop stays, and reads nothing. */
export async function deleteSqlRoles(tx: Queryable, userId: string): Promise<void> {
  const revoked = await tx
    .delete(sqlRoles)
    .where(eq(sqlRoles.userId, userId))
    .returning({ role: sqlRoles.role });
  for (const { role } of revoked) await dropRole(tx, role);
}
