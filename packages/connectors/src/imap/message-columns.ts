// Loaded by the main thread, too: it must not import the mail parser.
import {
  copiedBigint,
  copiedBoolean,
  copiedInstant,
  copiedText,
  truncateText,
} from '../sdk/column-values.ts';
import type { JsonObject } from '../sdk/json.ts';
import { domainOf, type MailAddress } from '../sdk/mail-addresses.ts';
import type { ColumnValues } from '../sdk/table.ts';

/** Where a message is: its id is stable as long as the server keeps the mailbox's numbering. */
export interface MessagePlace {
  mailbox: string;
  uidValidity: string;
}

/** Makes the record id of a message. */
export function recordId({ mailbox, uidValidity }: MessagePlace, uid: number): string {
  return `${mailbox}/${uidValidity}/${uid}`;
}

/** Extracts the columns of a document that `messageRecord` has written. */
export function messageColumns(data: JsonObject): ColumnValues {
  const from = data.from as unknown as MailAddress;
  const address = from.address.toLowerCase();
  return {
    subject: copiedText(data.subject),
    sender: truncateText(address || from.name),
    sender_name: copiedText(from.name),
    domain: truncateText(domainOf(address)),
    mailbox: copiedText(data.mailbox),
    unread: copiedBoolean(data.unread),
    flagged: copiedBoolean(data.flagged),
    attachments: (data.attachments as JsonObject[]).length,
    size: copiedBigint(data.size),
    date: copiedInstant(data.date, 3),
  };
}
