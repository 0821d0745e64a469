// The main thread loads this file too, so it must not import the mail parser.

import { domainOf, type MailAddress } from '../mail/addresses.ts';
import { htmlTextOf } from '../mail/search.ts';
import {
  copiedBigint,
  copiedBoolean,
  copiedInstant,
  copiedText,
  truncateText,
} from '../sdk/column-values.ts';
import type { JsonObject } from '../sdk/json.ts';
import type { ColumnValues } from '../sdk/table.ts';

/** A mailbox and its UID numbering. Message ids are stable while `uidValidity` stays the same. */
export interface MailboxRef {
  mailbox: string;
  uidValidity: string;
}

/** Returns the record id of a message, e.g. `INBOX/1700000000/42`. */
export function recordId({ mailbox, uidValidity }: MailboxRef, uid: number): string {
  return `${mailbox}/${uidValidity}/${uid}`;
}

/** Extracts the columns from a document made by `messageRecord`. */
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
    flags: data.flags as string[],
    attachments: (data.attachments as JsonObject[]).length,
    size: copiedBigint(data.size),
    date: copiedInstant(data.date, 3),
    received_at: copiedInstant(data.receivedAt, 3),
    html_text: htmlTextOf(data),
  };
}
