import type { FetchMessageObject } from 'imapflow';
// Import from the files, not the index, because the session thread needs nothing else.
import type { ConnectorRecord } from '../sdk/connector.ts';
import type { JsonObject } from '../sdk/json.ts';
import { parseAddresses } from '../sdk/mail-addresses.ts';
import { textOfHtml } from '../sdk/mail-html.ts';
import { storable } from '../sdk/storable.ts';
import { isAttachment, type Mail, parseMail } from './mail-parser.ts';
import { type MailboxRef, messageColumns, recordId } from './message-columns.ts';
import { attachmentsOf, fileOf, MAX_ATTACHMENTS } from './message-parts.ts';
import { snippetOf, truncateBody } from './message-text.ts';
import { receivedAt } from './received-at.ts';

/** Largest number of headers in a record. */
const MAX_HEADERS = 200;
/** Longest header value in a record, UTF-16 units. */
const MAX_VALUE_LENGTH = 16 * 1024;
/** Truncates a header value. */
function truncate(text = ''): string {
  return storable(text.slice(0, MAX_VALUE_LENGTH));
}

/** Largest number of flags in a record, and longest flag. */
const MAX_FLAGS = 200;
const MAX_FLAG_LENGTH = 200;

const SYSTEM_FLAGS = ['\\Answered', '\\Flagged', '\\Deleted', '\\Seen', '\\Draft', '\\Recent'];

/** Returns a flag with the RFC's spelling if it is a system flag; servers write those in any case. */
function flagName(flag: string): string {
  return SYSTEM_FLAGS.find((name) => name.toLowerCase() === flag.toLowerCase()) ?? flag;
}

/** Returns the addresses of all headers with a name. */
function addressesOf(mail: Mail, name: string): JsonObject[] {
  const values = mail.headers.filter(({ key }) => key === name).map(({ value }) => value);
  return parseAddresses(values.join(', ')).map((entry) => ({ ...entry }));
}

const byteLength = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === 'string' ? content.length : content.byteLength;

function filesOf(mail: Mail, message: FetchMessageObject): JsonObject[] {
  if (message.bodyStructure) return attachmentsOf(message.bodyStructure);
  return mail.attachments
    .filter(isAttachment)
    .slice(0, MAX_ATTACHMENTS)
    .map(({ filename, mimeType, content }) => fileOf(filename, mimeType, byteLength(content)));
}

/** A message with uid, flags, internalDate, size, and the part of its source that was read. */
export interface ReadMessage extends FetchMessageObject {
  /** Whether `source` contains all texts of the message. Default: whether it is as long as the message. */
  hasAllTexts?: boolean;
}

/** Converts a fetched message to a record: headers and bodies as text (never rendered as HTML), files by name and size. */
export async function messageRecord(mailboxRef: MailboxRef, message: ReadMessage): Promise<ConnectorRecord> {
  const source = message.source ?? Buffer.alloc(0);
  const mail = await parseMail(source);
  const date = receivedAt(message.internalDate, mail.date);
  const flags = [...new Set([...(message.flags ?? [])].map(flagName))]
    .filter((flag) => flag !== '\\Recent' && flag.length <= MAX_FLAG_LENGTH)
    .slice(0, MAX_FLAGS)
    .map(storable)
    .sort();
  const { text, html } = mail;
  const size = message.size ?? source.length;
  const firstFrom = mail.headers.find(({ key, value }) => key === 'from' && value)?.value;
  const from = parseAddresses(firstFrom)[0] ?? { name: '', address: '' };

  const { hasAllTexts = size <= source.length } = message;
  const body = { text: truncateBody(text), html: truncateBody(html) };
  const data: JsonObject = {
    id: storable(recordId(mailboxRef, message.uid)),
    from: { ...from },
    subject: truncate(mail.subject),
    date: date.toISOString(),
    to: addressesOf(mail, 'to'),
    cc: addressesOf(mail, 'cc'),
    replyTo: addressesOf(mail, 'reply-to'),
    flags,
    unread: !flags.includes('\\Seen'),
    flagged: flags.includes('\\Flagged'),
    snippet: snippetOf(text.trim() === '' ? textOfHtml(html) : text),
    ...body,
    truncated: !hasAllTexts || body.text.length < text.length || body.html.length < html.length,
    attachments: filesOf(mail, message),
    size,
    mailbox: storable(mailboxRef.mailbox),
    uid: message.uid,
    messageId: truncate(mail.messageId),
    inReplyTo: truncate(mail.inReplyTo),
    dateHeader: truncate(mail.date),
    headers: mail.headers
      .slice(0, MAX_HEADERS)
      .map(({ originalKey, value }) => ({ name: truncate(originalKey), value: truncate(value) })),
  };
  return { id: data.id as string, occurredAt: date, data, columns: messageColumns(data) };
}
