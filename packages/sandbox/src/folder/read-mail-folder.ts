import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { collectMails, type MailSource } from '../gmail/collect-mails.ts';
import { userLabel } from '../gmail/labels.ts';
import type { MailboxContents } from '../gmail/mail.ts';
import { MAX_HEAD_BYTES } from '../gmail/mail-head.ts';

/**
 * Reads the .eml files of a folder and its subfolders as a mailbox: all in INBOX, with a user label for each subfolder.
 * Reads only the headers; the rest of a file is read when its message is requested.
 */
export function readMailFolder(folder: string): MailboxContents {
  const paths = filesUnder(folder, '.eml');
  const folders = [...new Set(paths.map((path) => labelName(folder, path)))]
    .filter((name) => name !== '')
    .sort();
  const labels = folders.map((name, index) => userLabel(index + 1, name));
  const idOf = new Map(labels.map((label) => [label.name, label.id]));
  const sources = paths.map((path) => mailSource(folder, path, idOf.get(labelName(folder, path))));
  return { labels, mails: collectMails(sources) };
}

/** Returns the files with this ending in the folder and its subfolders, in a stable order. */
export function filesUnder(folder: string, ending: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith(ending));
  return files.map((entry) => join(entry.parentPath, entry.name)).sort();
}

function mailSource(folder: string, path: string, labelId: string | undefined): MailSource {
  const { size, mtimeMs } = statSync(path);
  return {
    key: relative(folder, path).split(sep).join('/'),
    labelIds: labelId === undefined ? ['INBOX'] : ['INBOX', labelId],
    size,
    fallbackDate: Math.floor(mtimeMs / 1000) * 1000,
    readHead: () => readStart(path, Math.min(size, MAX_HEAD_BYTES)),
    read: () => readFileSync(path),
  };
}

function readStart(path: string, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

function labelName(folder: string, path: string): string {
  return relative(folder, dirname(path)).split(sep).join('/');
}
