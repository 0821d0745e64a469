import { configuredEndpoints } from '../app/connector-registry.ts';
import { InstalledConnectors } from '../app/installed-connectors.ts';
import { recordAction, SHELL } from '../features/accounts/index.ts';
import {
  createSqlRole,
  createSqlViews,
  listSqlRoles,
  revokeFromPublic,
  revokeSqlRole,
  type SqlRole,
} from '../features/sql-access/index.ts';
import type { Config } from '../platform/config/config.ts';
import { type Database, queryableOf } from '../platform/db/database.ts';
import { migrateDatabase } from '../platform/db/migrate.ts';
import { createLogger } from '../platform/log.ts';
import { StartError } from '../platform/start-error.ts';
import { requireUser } from './accounts.ts';
import { terminalText } from './terminal-text.ts';

/** Longest name of what uses a role. */
const MAX_NAME = 100;

/** Formats a role as one line: role, date, name in quotation marks. */
function lineOf({ role, createdAt, name }: SqlRole): string {
  return [role, `created ${createdAt.toISOString().slice(0, 10)}`, terminalText(JSON.stringify(name))].join(
    '  ',
  );
}

/** Prints statements for a superuser, under a sentence that says what they are for. */
function printStatements(sentence: string, statements: readonly string[]): void {
  if (statements.length > 0)
    console.error(`${sentence}\n${statements.map((statement) => `  ${statement};`).join('\n')}`);
}

/** Returns the address by which the role connects: that of the settings, else the socket of the embedded database. */
function addressOf(
  { DATABASE_URL, DATABASE_DIRECT_URL, SQL_LISTEN }: Config,
  { $client }: Database,
  { role, password }: { role: string; password: string },
): string {
  const configured = DATABASE_DIRECT_URL ?? DATABASE_URL;
  if (configured !== undefined) {
    const url = new URL(configured);
    Object.assign(url, { username: role, password });
    return url.href;
  }
  const { host = '', port, database } = $client.options;
  const listening = SQL_LISTEN && (SQL_LISTEN.host.includes(':') ? `[${SQL_LISTEN.host}]` : SQL_LISTEN.host);
  return `postgresql://${role}:${password}@${listening ?? encodeURIComponent(host)}:${SQL_LISTEN?.port ?? port}/${database}`;
}

/** Creates the views. @returns the statements that an administrator must run so that roles can only read */
async function prepareAccess(db: Database, config: Config): Promise<string[]> {
  const connectors = new InstalledConnectors(configuredEndpoints(config), {}, createLogger('error'));
  let remaining: string[] = [];
  // Under the lock of migrations: two commands at once would change the same rights.
  await migrateDatabase(db.$client, async (client) => {
    await connectors.load(queryableOf(client));
    await createSqlViews(client, connectors.registry.entities());
    remaining = await revokeFromPublic(client, { isEmbedded: config.DATABASE_URL === undefined });
  });
  return remaining;
}

/** Creates a role and prints its address. @throws StartError for an unknown account or a wrong name */
export async function printNewRole(
  db: Database,
  config: Config,
  account: string,
  name: string,
): Promise<void> {
  if (name.trim() === '' || name.length > MAX_NAME)
    throw new StartError(`The name must have 1 to ${MAX_NAME} characters.`);
  const { id } = await requireUser(db, account);
  const remaining = await prepareAccess(db, config);
  const created = await createSqlRole(db, id, name.trim());
  // The role is created by transactions of its own, so an entry may only be missing, never be wrong.
  await recordAction(db, { actor: SHELL, action: 'sql-role-created', accountId: id });
  printStatements(
    'The database user of Datadeck may not create roles. Ask an administrator of the database to run:',
    created.statements,
  );
  printStatements(
    'The role can fill the disk by messages and temporary files. Ask a superuser of the database to run, after it was created:',
    created.restrictions,
  );
  printStatements(
    'Every role of the database may still store objects and take locks. Ask an administrator of the database to run:',
    remaining,
  );
  // Alone on standard output, so that a script can store it.
  console.error('This is the address with the password. It is not shown again.');
  console.log(addressOf(config, db, created));
}

/** Lists the roles of an account. @throws StartError for an unknown account */
export async function printRoles(db: Database, account: string): Promise<void> {
  for (const role of await listSqlRoles(db, (await requireUser(db, account)).id)) console.log(lineOf(role));
}

/** Revokes a role. @throws StartError for an unknown account, AppError for an unknown role */
export async function revoke(db: Database, account: string, role: string): Promise<void> {
  const { id: accountId } = await requireUser(db, account);
  const statement = await revokeSqlRole(db, accountId, role);
  await recordAction(db, { actor: SHELL, action: 'sql-role-revoked', accountId });
  printStatements(
    'The role reads nothing any more, but still exists. Ask an administrator of the database to run:',
    statement === undefined ? [] : [statement],
  );
  console.log('Revoked.');
}
