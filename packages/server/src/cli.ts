/** The command `datadeck`. Its commands work beside a running Datadeck, or alone. */
import { Command } from 'commander';
import { addAccountCommands } from './commands/accounts.ts';
import { addEncryptionCommands } from './commands/encryption.ts';
import { StartError } from './platform/start-error.ts';

function createProgram(): Command {
  const program = new Command('datadeck')
    .description('Self-hosted dashboard for data integration and synchronisation')
    .showHelpAfterError("'datadeck --help' lists the commands.");
  addAccountCommands(program);
  addEncryptionCommands(program);
  return program;
}

createProgram()
  .parseAsync()
  .catch((error) => {
    console.error(error instanceof StartError ? error.message : error);
    process.exitCode = 1;
  });
