/** The administrator's command `npm run admin`; see USAGE. Works beside a running Datadeck, or alone. */
import { planSchema } from '@datadeck/contract';
import { findUsersByIdOrEmail, listUsers, setPlan, type User } from './features/accounts/index.ts';
import {
  deleteUnreadableCredentials,
  requireStoredKeys,
  resealCredentials,
} from './features/connections/index.ts';
import { resealWebhooks } from './features/notifications/index.ts';
import { type Config, parseConfig } from './platform/config/config.ts';
import { migrateDatabase } from './platform/db/migrate.ts';
import { type Database, openDatabase } from './platform/db/pool.ts';
import { hasDatabase } from './platform/embedded-postgres/cluster-paths.ts';
import { findRunningPostgres, startEmbeddedPostgres } from './platform/embedded-postgres/launcher.ts';
import { openKeyring } from './platform/encryption.ts';
import { createLogger } from './platform/log.ts';
import { StartError } from './platform/start-error.ts';

const USAGE = `Usage:
  npm run admin -- users                      lists the accounts
  npm run admin -- plan ID|EMAIL standard|pro changes the plan of an account
  npm run admin -- renew-encryption           encrypts all secrets with the first key of ENCRYPTION_KEY
  npm run admin -- forget-tokens              deletes the providers' tokens whose encryption key is lost`;

async function withDatabase(work: (db: Database, config: Config) => Promise<void>): Promise<void> {
  const config = parseConfig(process.env);
  const log = createLogger('error');
  if (config.DATABASE_URL === undefined && !hasDatabase(config.DATA_DIR))
    throw new StartError(
      `There is no database in ${config.DATA_DIR}. Set DATA_DIR or DATABASE_URL to the values that Datadeck uses.`,
    );
  const running =
    config.DATABASE_URL === undefined
      ? await findRunningPostgres(config.DATA_DIR)
      : { connectionString: config.DATABASE_URL };
  const own = running === undefined ? await startEmbeddedPostgres(config.DATA_DIR) : undefined;
  const db = openDatabase(running ?? own?.connection ?? {}, log, 2);
  try {
    await migrateDatabase(db.$client);
    await work(db, config);
  } finally {
    await db.$client.end();
    await own?.stop();
  }
}

/** Escapes characters that could move the cursor, or hide or reorder text on a terminal. */
function escaped(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** Formats an account as one line: date, plan, id, e-mail address, name in quotation marks. */
function lineOf(user: User): string {
  const created = user.createdAt.toISOString().slice(0, 10);
  const name = JSON.stringify(user.name);
  return [created, user.plan.padEnd(8), user.id, escaped(user.email), escaped(name)].join('  ');
}

async function printUsers(db: Database): Promise<void> {
  for (const user of await listUsers(db)) console.log(lineOf(user));
}

async function changePlan(db: Database, idOrEmail: string, plan: string): Promise<void> {
  const parsed = planSchema.exclude(['demo']).safeParse(plan);
  if (!parsed.success) throw new StartError(`'${plan}' is not a plan; expected standard or pro.`);
  const [user, ...others] = await findUsersByIdOrEmail(db, idOrEmail);
  if (!user)
    throw new StartError(
      `There is no account with the id or e-mail address ${idOrEmail}. 'npm run admin -- users' lists them.`,
    );
  if (others.length > 0)
    throw new StartError(
      `${others.length + 1} accounts have the e-mail address ${escaped(idOrEmail)}. Name one by its id:\n${[user, ...others].map(lineOf).join('\n')}`,
    );
  await setPlan(db, user.id, parsed.data);
  console.log(`${escaped(user.email)} (${user.id}): ${parsed.data}`);
}

async function deleteLostTokens(db: Database, config: Config): Promise<void> {
  const deleted = await deleteUnreadableCredentials(db, openKeyring(config.ENCRYPTION_KEY, config.DATA_DIR));
  console.log(`Deleted the tokens of ${deleted} connections. They must be connected again.`);
}

async function renewEncryption(db: Database, config: Config): Promise<void> {
  const keyring = openKeyring(config.ENCRYPTION_KEY, config.DATA_DIR);
  await requireStoredKeys(db, keyring);
  const renewed = (await resealCredentials(db, keyring)) + (await resealWebhooks(db, keyring));
  console.log(`Encrypted ${renewed} secrets with the first key. The other keys can be removed.`);
}

async function main(): Promise<void> {
  const [command, account, plan] = process.argv.slice(2);
  if (command === 'users') await withDatabase(printUsers);
  else if (command === 'plan' && account && plan) await withDatabase((db) => changePlan(db, account, plan));
  else if (command === 'renew-encryption') await withDatabase(renewEncryption);
  else if (command === 'forget-tokens') await withDatabase(deleteLostTokens);
  else throw new StartError(USAGE);
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
});
