import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { draftDocument } from '@datadeck/connectors/declarative/builder';
import {
  CONNECTOR_BOUNDS,
  ENDPOINTS,
  importedSentence,
  type ManifestAddress,
  type ManifestStream,
  type StartedDocument,
} from '@datadeck/contract';
import { StartError } from '../../platform/start-error.ts';
import { terminalText } from '../terminal-text.ts';

/** Options of `connectors import`. */
export interface ImportFileOptions {
  key?: string;
  title?: string;
  streams?: string[];
  /** Values on which addresses depend: `region=eu`. */
  set?: string[];
  out?: string;
}

/** Longest key that leaves room for the ids of entities, which begin with it. */
const MAX_KEY = 26;

/** Reads a manifest. @throws StartError for a file that is missing, too large or cannot be read */
async function readManifestFile(file: string): Promise<string> {
  const shown = terminalText(file);
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new StartError(`${shown} is no file.`);
    if (found.size > CONNECTOR_BOUNDS.manifest)
      throw new StartError(
        `${shown} is larger than ${CONNECTOR_BOUNDS.manifest / 1e6} MB, the most of a manifest.`,
      );
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === 'ENOENT' ? `There is no file ${shown}.` : `${shown} cannot be read: ${message}`,
    );
  }
}

/** Returns the name of a source: `source-zendesk-chat.yaml` and `source-zendesk-chat/manifest.yaml` are `Zendesk chat`. */
function titleOf(file: string, text: string): string {
  const path = resolve(file);
  const own = basename(path, extname(path));
  const line = text.split('\n').find((one) => /documentation_?url:/i.test(one)) ?? '';
  const [documented] = /^[\w-]{1,80}/.exec(line.split('/sources/')[1] ?? '') ?? [];
  const name = own === 'manifest' ? (documented ?? basename(dirname(path))) : own;
  const words = name
    .replace(/^source-/, '')
    .replace(/[-_\s]+/g, ' ')
    .trim()
    .slice(0, 80);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns a title as a key: `Zendesk chat` is `zendesk-chat`. */
function keyOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '');
  return slug.slice(0, MAX_KEY).replace(/-$/, '');
}

const lineOf = ({ name, line }: ManifestStream) => `  ${terminalText(name)} (line ${line})`;

const addressLineOf = ({ path, value, choices }: ManifestAddress) =>
  terminalText(
    `  ${path}${value === '' ? ': no value' : ` = ${value}`}${choices.length > 0 ? ` (one of ${choices.join(', ')})` : ''}`,
  );

/** Returns the values of `--set`. @throws StartError for one without a place */
function valuesOf(set: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    set.map((text): [string, string] => {
      const at = text.indexOf('=');
      if (at <= 0) throw new StartError(`--set: Write a place and its value, such as region=eu.`);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
}

/** Prints to standard error what became of each stream. */
function report({ remarks, streams = [], addresses = [] }: StartedDocument): void {
  if (streams.length === 0) {
    console.error(remarks.map(terminalText).join('\n'));
    return;
  }
  const imported = streams.filter(({ isImported }) => isImported);
  const leftOut = streams.filter(({ isImported }) => !isImported);
  console.error(importedSentence(streams));
  const print = (title: string, lines: readonly string[]) => {
    if (lines.length > 0) console.error(['', `${title}:`, ...lines].join('\n'));
  };
  print('Imported', imported.map(lineOf));
  print(
    'Left out',
    leftOut.map((stream) => `${lineOf(stream)}: ${terminalText(stream.reason)}`),
  );
  print(
    'Addresses depend on values that all accounts have; --set place=value sets one',
    addresses.map(addressLineOf),
  );
  print(
    'Notes',
    remarks.map((remark) => `  ${terminalText(remark)}`),
  );
}

async function writeDocument(document: string, out: string | undefined): Promise<void> {
  if (out === undefined) return console.log(document);
  try {
    await writeFile(out, `${document}\n`, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === 'EEXIST'
        ? `${terminalText(out)} exists already. Name another file.`
        : `${terminalText(out)} cannot be written: ${message}`,
    );
  }
}

/**
 * Translates a manifest of Airbyte: the document goes to standard output or a new file, the report to standard error. The exit code is
 * 1 if no stream was imported.
 * @throws StartError for a file that cannot be read or written, and for a wrong option
 */
export async function importFile(file: string, options: ImportFileOptions): Promise<void> {
  const manifest = await readManifestFile(file);
  const title = options.title ?? titleOf(file, manifest);
  const key = options.key ?? keyOf(title);
  const { streams } = options;
  const values = options.set && valuesOf(options.set);
  const read = ENDPOINTS.connectorStart.body.safeParse({
    from: 'manifest',
    key,
    title,
    manifest,
    streams,
    values,
  });
  if (!read.success || read.data.from !== 'manifest') {
    const [issue] = read.error?.issues ?? [];
    throw new StartError(`--${String(issue?.path[0])}: ${issue?.message}`);
  }
  const started = await draftDocument(read.data);
  const isImported = started.streams?.some((stream) => stream.isImported) === true;
  if (isImported) await writeDocument(started.document, options.out);
  report(started);
  if (!isImported) process.exitCode = 1;
}
