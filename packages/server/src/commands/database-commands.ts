/** Declares the commands that use the database. Each action loads its module, and with it the server, when it runs. */
import { TOKEN_SCOPES } from '@datadeck/contract/choices';
import { type Command, Option } from 'commander';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/db/database.ts';
import type { CreateOptions } from './tokens.ts';

interface UserOptions {
  verify?: string;
  admin?: { account: string; isAdministrator: boolean };
}

/** Runs `work` with the migrated database of the settings. */
async function withDatabase(work: (db: Database, config: Config) => Promise<void>): Promise<void> {
  return (await import('./database.ts')).withDatabase(work);
}

/** Adds the commands that list accounts, change their plan and sign in to them. */
function addAccountCommands(program: Command): void {
  program
    .command('users')
    .description('list the accounts, verify the address of one, or make one an administrator')
    .option('--verify <id>', 'the account whose user may have this address')
    .option('--admin <account>', 'make the account an administrator; id or e-mail address', (account) => ({
      account,
      isAdministrator: true,
    }))
    // Commander keeps both options in `admin`, so the last one counts.
    .option('--no-admin <account>', 'end that', (account) => ({ account, isAdministrator: false }))
    .action(({ verify, admin }: UserOptions) =>
      withDatabase(async (db) => {
        const { changeAdministrator, printUsers, verifyAccount } = await import('./accounts.ts');
        if (verify !== undefined) await verifyAccount(db, verify);
        if (admin !== undefined) await changeAdministrator(db, admin.account, admin.isAdministrator);
        if (verify === undefined && admin === undefined) await printUsers(db);
      }),
    );
  program
    .command('plan')
    .description('change the plan of an account')
    .argument('<account>', 'id or e-mail address')
    .argument('<plan>', 'standard or pro')
    .action((account: string, plan: string) =>
      withDatabase(async (db) => (await import('./accounts.ts')).changePlan(db, account, plan)),
    );
  program
    .command('login')
    .description('print a link that signs in without a provider; creates the account if there is none')
    .argument('<account>', 'e-mail address, or id of an account')
    .action((account: string) =>
      withDatabase(async (db, config) => (await import('./login.ts')).printLink(db, config, account.trim())),
    );
}

/** Adds the commands that create, list and revoke API tokens, for an administrator of the server. */
function addTokenCommands(program: Command): void {
  const token = program.command('token').description('create, list and revoke API tokens of an account');
  token
    .command('create')
    .description('create a token and print it, and the link to its page for the scopes view and board')
    .argument('<account>', 'id or e-mail address')
    .requiredOption('--name <name>', 'what uses it')
    .addOption(new Option('--scope <scope>', 'what it allows').choices([...TOKEN_SCOPES]).default('read'))
    .option('--days <days>', 'lifetime', '90')
    .option('--view <id>', 'for the scope view: the view')
    .option('--board <id>', 'for the scope board: the board')
    .option('--parameters <json>', 'for the scopes view and board: fixed values of parameters')
    .option('--rows <number>', 'for the scopes view and board: rows in all')
    .action((account: string, options: CreateOptions) =>
      withDatabase(async (db, config) =>
        (await import('./tokens.ts')).printNewToken(db, config, account, options),
      ),
    );
  token
    .command('list')
    .description('list the tokens of an account')
    .argument('<account>', 'id or e-mail address')
    .action((account: string) =>
      withDatabase(async (db) => (await import('./tokens.ts')).printTokens(db, account)),
    );
  token
    .command('revoke')
    .description('revoke a token')
    .argument('<account>', 'id or e-mail address')
    .argument('<id>', 'id of the token')
    .action((account: string, id: string) =>
      withDatabase(async (db) => (await import('./tokens.ts')).revoke(db, account, id)),
    );
}

/** Adds the commands that create, list and revoke roles by which other programs read an account's records in SQL. */
function addSqlAccessCommands(program: Command): void {
  const access = program
    .command('sql-access')
    .description('create, list and revoke read-only roles of PostgreSQL for the records of an account');
  access
    .command('create')
    .description('create a role and print its address')
    .argument('<account>', 'id or e-mail address')
    .requiredOption('--name <name>', 'what uses it')
    .action((account: string, { name }: { name: string }) =>
      withDatabase(async (db, config) =>
        (await import('./sql-access.ts')).printNewRole(db, config, account, name),
      ),
    );
  access
    .command('list')
    .description('list the roles of an account')
    .argument('<account>', 'id or e-mail address')
    .action((account: string) =>
      withDatabase(async (db) => (await import('./sql-access.ts')).printRoles(db, account)),
    );
  access
    .command('revoke')
    .description('revoke a role')
    .argument('<account>', 'id or e-mail address')
    .argument('<role>', 'the role')
    .action((account: string, role: string) =>
      withDatabase(async (db) => (await import('./sql-access.ts')).revoke(db, account, role)),
    );
}

const identityOption = () =>
  new Option('-i, --identity <file>', 'identity of age, for a backup that was encrypted for a recipient');

/** Adds the commands that write, check and restore backups. */
function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('write all data into a file, also while Datadeck runs')
    .argument('<file>', 'the file to write')
    .option('--force', 'replace an existing file')
    .action(async (file: string, options: { force?: boolean }) =>
      (await import('./backup.ts')).writeBackup(file, { ...options, version: program.version() ?? '' }),
    );
  program
    .command('verify')
    .description('check that a backup is complete and unchanged, without restoring it')
    .argument('<file>', 'a backup')
    .addOption(identityOption())
    .action(async (file: string, options: { identity?: string }) =>
      (await import('./backup.ts')).checkBackup(file, options),
    );
  program
    .command('restore')
    .description('restore a backup into an empty database')
    .argument('<file>', 'a backup')
    .addOption(identityOption())
    .action(async (file: string, options: { identity?: string }) =>
      (await import('./backup.ts')).restore(file, options),
    );
}

/** Adds the commands for a changed or lost encryption key. */
function addEncryptionCommands(program: Command): void {
  program
    .command('renew-encryption')
    .description('encrypt all secrets with the first key of ENCRYPTION_KEY')
    .action(() =>
      withDatabase(async (db, config) => (await import('./encryption.ts')).renewEncryption(db, config)),
    );
  program
    .command('forget-tokens')
    .description("delete the providers' tokens whose encryption key is lost")
    .action(() =>
      withDatabase(async (db, config) => (await import('./encryption.ts')).deleteLostTokens(db, config)),
    );
}

/** Adds the commands that use the database, in the order of the help. */
export function addDatabaseCommands(program: Command): void {
  addAccountCommands(program);
  addTokenCommands(program);
  addSqlAccessCommands(program);
  addBackupCommands(program);
  addEncryptionCommands(program);
}
