import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dovecot } from '../packages/connectors/test-support/imap/index.ts';

/** When the first mail was received, seconds since 1970. */
const FIRST_MAIL = Date.parse('2026-01-01T00:00:00Z') / 1000;

/**
 * Reads the sample mails, with the line ends of the network.
 * @param samples folder that holds spamassassin-1000.tar.xz @param folder into which it is extracted
 */
export function readSamples(samples: string, folder: string): Buffer[] {
  execFileSync('tar', ['-xf', join(samples, 'spamassassin-1000.tar.xz'), '-C', folder]);
  const files = readdirSync(join(folder, 'spamassassin')).sort();
  return files.map((file) => {
    const text = readFileSync(join(folder, 'spamassassin', file), 'latin1');
    return Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'), 'latin1');
  });
}

/** Returns the folder of a user's mailbox. */
export function boxOf(dovecot: Dovecot, user: string): string {
  return join(dovecot.folder, 'mail', user);
}

/** Delivers mails into a user's Maildir, one received each minute. */
export function deliver(dovecot: Dovecot, user: string, mails: readonly Buffer[]): void {
  const box = boxOf(dovecot, user);
  for (const part of ['cur', 'new', 'tmp']) mkdirSync(join(box, part), { recursive: true });
  const first = readdirSync(join(box, 'cur')).length;
  for (const [index, mail] of mails.entries()) {
    const place = first + index;
    const path = join(box, 'cur', `${FIRST_MAIL + 60 * place}.P${place}.bench:2,`);
    writeFileSync(path, mail);
    utimesSync(path, FIRST_MAIL + 60 * place, FIRST_MAIL + 60 * place);
  }
  execFileSync('chown', ['-R', `--reference=${join(dovecot.folder, 'mail')}`, box]);
}
