import { createHash } from 'node:crypto';
import type { Mail } from './mail.ts';
import { type MailHead, readMailHead } from './mail-head.ts';
import { threadMails } from './thread-mails.ts';

/** The source of a message for a mailbox. */
export interface MailSource {
  /** Unique in the mailbox and permanent; determines the id. */
  key: string;
  labelIds: readonly string[];
  size: number;
  /** Used when no header contains a valid date, ms since 1970. */
  fallbackDate: number;
  /** Reads at least the headers. */
  readHead(): Buffer;
  read(): Buffer;
}

/** Assigns ids, dates and threads to the messages; keeps their order. */
export function collectMails(sources: readonly MailSource[]): Omit<Mail, 'historyId'>[] {
  const heads = sources.map((source) => ({ id: mailId(source.key), source, head: headOf(source) }));
  const threads = threadMails(heads);
  return heads.map(({ id, source, head }) => ({
    id,
    threadId: threads.get(id) ?? id,
    labelIds: source.labelIds,
    internalDate: head.date,
    size: source.size,
    read: source.read,
  }));
}

/** Returns an id of 16 hexadecimal digits: `1` and the start of the SHA-1 of the key. */
export function mailId(key: string): string {
  return `1${createHash('sha1').update(key).digest('hex').slice(0, 15)}`;
}

function headOf(source: MailSource): MailHead {
  return readMailHead(source.readHead(), source.fallbackDate);
}
