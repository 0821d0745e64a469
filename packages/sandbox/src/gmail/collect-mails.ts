import { createHash } from 'node:crypto';
import type { Mail } from './mail.ts';
import { type MailHead, readMailHead } from './mail-head.ts';
import { threadMails } from './thread-mails.ts';

/** A message on its way into a mailbox. */
export interface MailSource {
  /** Unique in the mailbox and lasting; the id is made from it. */
  key: string;
  labelIds: readonly string[];
  size: number;
  fallbackDate: number;
  /** At least the headers. */
  readHead(): Buffer;
  read(): Buffer;
}

/** Gives the messages ids, dates and threads. */
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

/** 16 hexadecimal digits that depend on the key alone. */
export function mailId(key: string): string {
  return `1${createHash('sha1').update(key).digest('hex').slice(0, 15)}`;
}

function headOf(source: MailSource): MailHead {
  return readMailHead(source.readHead(), source.fallbackDate);
}
