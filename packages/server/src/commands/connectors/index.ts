import type { Command } from 'commander';
import type { ImportFileOptions } from './import-file.ts';

const listWith = (text: string, before: readonly string[] = []) => [...before, text];
const namesIn = (text: string) => text.split(',').map((name) => name.trim());

/** Adds the command that translates a file into a connector document. It needs no database and no server. */
export function addConnectorCommands(program: Command): void {
  program
    .command('connectors')
    .description('translate a declarative manifest of Airbyte into a connector document')
    .command('import')
    .description(
      'print the document of a manifest, and what was left out; exit with 1 if no stream was imported',
    )
    .argument('<file>', 'the manifest, YAML of at most 2 MB')
    .option('--key <key>', 'key of the connector; by default made of its title')
    .option('--title <title>', 'title of the connector; by default the name of the source')
    .option(
      '--streams <names>',
      'names of the streams to import, with commas; by default the first that fit',
      namesIn,
    )
    .option(
      '--set <place=value>',
      'a value on which addresses depend, for all accounts, e.g. region=eu; may be repeated',
      listWith,
    )
    .option('--out <file>', 'a new file for the document; by default standard output')
    .action(async (file: string, options: ImportFileOptions) =>
      (await import('./import-file.ts')).importFile(file, options),
    );
}
