import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { PassThrough, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXPORT_FORMATS } from '@datadeck/contract/choices';
import { type Command, Option } from 'commander';
import { StartError } from '../../platform/start-error.ts';
import { terminalStream } from '../terminal-text.ts';
import { callServer, type RemoteOptions, withQuery, withServer } from './api.ts';
import { addPair, findEntity, findView, parametersOf, type SetValues } from './reading.ts';

interface ExportOptions extends RemoteOptions {
  entity?: string;
  exact?: true;
  format: string;
  output?: string;
  set?: SetValues;
}

/** Formats that are not text. */
const BINARY: ReadonlySet<string> = new Set(['xlsx', 'parquet']);

/** Interval between lines of progress, ms. */
const PROGRESS_MS = 500;

/** Passes bytes on and shows how many there were, where standard error is a terminal. */
function withProgress(): Transform {
  let bytes = 0;
  let shownAt = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (process.stderr.isTTY && Date.now() - shownAt > PROGRESS_MS) {
        shownAt = Date.now();
        process.stderr.write(`\r\u001b[2K${(bytes / 1e6).toFixed(1)} MB`);
      }
      done(null, chunk);
    },
    flush(done) {
      if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K');
      done();
    },
  });
}

/** Returns the path of what is exported. @throws StartError for a missing or unknown name */
async function pathOf(name: string | undefined, options: ExportOptions): Promise<string> {
  const { entity, exact, format, set } = options;
  if (exact && format !== 'csv') throw new StartError('Only CSV has an exact form. Add --format csv.');
  if ((name === undefined) === (entity === undefined))
    throw new StartError('Name either a view, or an entity by --entity.');
  if (name !== undefined && format === 'mbox')
    throw new StartError('A view cannot be exported as mbox. Name an entity of mails by --entity.');
  if (name !== undefined)
    return withQuery(`/api/v1/data/views/download/${(await findView(options, name))._id}`, {
      format,
      exact: exact && 'true',
      parameters: set && JSON.stringify(parametersOf(set)),
    });
  const { providerId, id } = await findEntity(options, entity ?? '');
  return withQuery(`/api/v1/data/records/${providerId}/${id}/export`, { format, exact: exact && 'true' });
}

async function exportData(name: string | undefined, options: ExportOptions): Promise<void> {
  const { output, format } = options;
  if (output === undefined && BINARY.has(format) && process.stdout.isTTY)
    throw new StartError(`A terminal cannot show ${format}. Name a file by --output.`);
  const path = await pathOf(name, options);
  const { body } = await callServer(options, path);
  if (!body) throw new StartError('The server sent no file.');
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  try {
    if (output === undefined) {
      // Records are written by strangers: as they are they could move the cursor or hide text.
      const shown = process.stdout.isTTY ? terminalStream() : new PassThrough();
      await pipeline(source, withProgress(), shown, process.stdout, { end: false });
    } else await pipeline(source, withProgress(), createWriteStream(output, { flags: 'wx' }));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new StartError(`${output} exists already. Name another file.`);
    // A reader such as head closed the pipe.
    if (code === 'EPIPE') return;
    if (output !== undefined) await rm(output, { force: true });
    throw new StartError(`The export was interrupted: ${message}`);
  }
}

/** Adds the command that stores the whole result of a view, or all records of an entity. */
export function addExportCommand(program: Command): void {
  withServer(program.command('export'))
    .description(
      'write the whole result of a view, or all records of an entity, to a file or to standard output',
    )
    .argument('[view]', 'id or title')
    .option('--entity <entity>', 'all records of this entity; mbox for mails only')
    .addOption(new Option('--format <format>', 'format').choices([...EXPORT_FORMATS]).default('ndjson'))
    .option('--exact', 'CSV with texts as they are, for programs instead of spreadsheets')
    .option('-o, --output <file>', 'a new file')
    .option('--set <name=value>', 'value of a parameter; repeat for more', addPair)
    .action(exportData);
}
