/** The commands of `datadeck`. A command loads the server only if it needs it, because completion and remote commands must be fast. */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { addCompletionCommand } from './commands/completion.ts';
import { addConnectorCommands } from './commands/connectors/index.ts';
import { addDatabaseCommands } from './commands/database-commands.ts';
import { addDoctorCommand } from './commands/doctor/index.ts';
import { addExportCommand } from './commands/remote/export.ts';
import { addMcpCommand } from './commands/remote/mcp.ts';
import { addReadingCommands } from './commands/remote/reading.ts';
import { addSyncCommand } from './commands/remote/sync.ts';
import { terminalText } from './commands/terminal-text.ts';
import { AppError } from './platform/app-error.ts';
import { StartError } from './platform/start-error.ts';
import { runProduct } from './run-product.ts';

/** First words that print the help of `datadeck` itself. */
const HELP: ReadonlySet<string | undefined> = new Set(['-h', '--help', 'help']);

/** Lists the settings with their defaults, one a line. Loads their schema, which other commands need not wait for. */
async function describeSettings(): Promise<string> {
  const { SETTINGS } = await import('./platform/config/settings.ts');
  const width = Math.max(...SETTINGS.map(({ name }) => name.length));
  const lines = SETTINGS.map(
    ({ name, default: value, description }) => `  ${name.padEnd(width)}  ${description} Default: ${value}`,
  );
  return `\nSettings, read from the environment:\n${lines.join('\n')}\n`;
}

/** Adds the command that starts Datadeck; it runs when no command is named. */
function addStartCommand(program: Command): void {
  program
    .command('start', { isDefault: true })
    .description('start Datadeck')
    // An unknown command is taken for a word of the default one.
    .allowExcessArguments()
    .action((_options, { args: [word] }: Command) => {
      if (word !== undefined)
        throw new StartError(`There is no command ${terminalText(word)}. 'datadeck --help' lists them.`);
      return runProduct(join(resolve(process.env.DATA_DIR?.trim() || './data'), 'cache'));
    });
}

function createProgram(): Command {
  const { version } = createRequire(import.meta.url)('../package.json');
  const program = new Command('datadeck')
    .description('Self-hosted dashboard for data integration and synchronisation')
    .version(version)
    .showHelpAfterError("'datadeck --help' lists the commands.")
    // Throws where commander would end the process; the commands added below inherit it.
    .exitOverride();
  addStartCommand(program);
  addDatabaseCommands(program);
  addDoctorCommand(program);
  addConnectorCommands(program);
  addReadingCommands(program);
  addSyncCommand(program);
  addExportCommand(program);
  addMcpCommand(program);
  addCompletionCommand(program);
  return program;
}

/** Runs the command that `words` name. Reports an error on standard error and by the exit code of the process. */
export async function runProgram(words: readonly string[]): Promise<void> {
  try {
    const program = createProgram();
    if (HELP.has(words[0])) program.addHelpText('after', await describeSettings());
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // It has printed its message, or the help.
      process.exitCode = error.exitCode;
      return;
    }
    console.error(error instanceof StartError || error instanceof AppError ? error.message : error);
    process.exitCode = 1;
  }
}
