// Loaded by the main thread, too: it must not import the mail parser.
import type { JsonObject } from '../sdk/json.ts';
import { domainOf, type MailAddress } from '../sdk/mail-addresses.ts';

/** Longest subject among the facets, UTF-16 units. */
const LONGEST_SUBJECT = 2000;

/** Where a message is: its id is stable as long as the server keeps the mailbox's numbering. */
export interface MessagePlace {
  mailbox: string;
  uidValidity: string;
}

/** Makes the record id of a message. */
export function recordId({ mailbox, uidValidity }: MessagePlace, uid: number): string {
  return `${mailbox}/${uidValidity}/${uid}`;
}

/** Extracts the facets again from a document that `messageRecord` has written. */
export function storedFacets(data: JsonObject): JsonObject {
  return facetsOf(data, data.from as unknown as MailAddress);
}

/** Extracts the fields that templates group, filter and sort by. */
export function facetsOf(data: JsonObject, from: MailAddress): JsonObject {
  const address = from.address.toLowerCase();
  return {
    subject: String(data.subject ?? '')
      .slice(0, LONGEST_SUBJECT)
      .toWellFormed(),
    sender: address || from.name,
    senderName: from.name,
    domain: domainOf(address),
    mailbox: data.mailbox ?? '',
    unread: data.unread ?? false,
    flagged: data.flagged ?? false,
    attachments: (data.attachments as JsonObject[]).length,
    size: data.size ?? 0,
  };
}
