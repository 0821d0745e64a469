/** The command `datadeck`. Its commands work beside a running Datadeck, or alone. */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { addAccountCommands } from './commands/accounts.ts';
import { addBackupCommands } from './commands/backup.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addDoctorCommand } from './commands/doctor/index.ts';
import { addEncryptionCommands } from './commands/encryption.ts';
import { addLoginCommand } from './commands/login.ts';
import { addExportCommand } from './commands/remote/export.ts';
import { addMcpCommand } from './commands/remote/mcp.ts';
import { addReadingCommands } from './commands/remote/reading.ts';
import { addSyncCommand } from './commands/remote/sync.ts';
import { addSqlAccessCommands } from './commands/sql-access.ts';
import { addTokenCommands } from './commands/tokens.ts';
import { AppError } from './platform/app-error.ts';
import { SETTINGS } from './platform/config/settings.ts';
import { StartError } from './platform/start-error.ts';
import { runProduct } from './run-product.ts';

/** Lists the settings with their defaults, one a line. */
function describeSettings(): string {
  const width = Math.max(...SETTINGS.map(({ name }) => name.length));
  const lines = SETTINGS.map(
    ({ name, default: value, meaning }) => `  ${name.padEnd(width)}  ${meaning} Default: ${value}`,
  );
  return `\nSettings, read from the environment:\n${lines.join('\n')}\n`;
}

/** Adds the command that starts Datadeck; it runs when no command is named. */
function addStartCommand(program: Command): void {
  program
    .command('start', { isDefault: true })
    .description('start Datadeck')
    .action(() => runProduct(join(resolve(process.env.DATA_DIR?.trim() || './data'), 'cache')));
}

function createProgram(): Command {
  const { version } = createRequire(import.meta.url)('../package.json');
  const program = new Command('datadeck')
    .description('Self-hosted dashboard for data integration and synchronisation')
    .version(version)
    .addHelpText('after', describeSettings)
    .showHelpAfterError("'datadeck --help' lists the commands.");
  addStartCommand(program);
  addAccountCommands(program);
  addLoginCommand(program);
  addTokenCommands(program);
  addSqlAccessCommands(program);
  addBackupCommands(program);
  addEncryptionCommands(program);
  addDoctorCommand(program);
  addReadingCommands(program);
  addSyncCommand(program);
  addExportCommand(program);
  addMcpCommand(program);
  addCompletionCommand(program);
  return program;
}

createProgram()
  .parseAsync()
  .catch((error) => {
    console.error(error instanceof StartError || error instanceof AppError ? error.message : error);
    process.exitCode = 1;
  });
