import type { FetchMessageObject } from 'imapflow';
// Not through the index: the thread of a session needs nothing else.
import type { ConnectorRecord } from '../sdk/connector.ts';
import type { JsonObject } from '../sdk/json.ts';
import { parseAddresses } from '../sdk/mail-addresses.ts';
import { storable } from '../sdk/storable.ts';
import { isAttachment, type Mail, parseMail } from './mail-parser.ts';
import { type MessagePlace, messageColumns, recordId } from './message-columns.ts';
import { attachmentsOf, fileOf, MAX_ATTACHMENTS } from './message-parts.ts';
import { clipped, snippetOf, textOfHtml } from './message-text.ts';
import { receivedAt } from './received-at.ts';

/** Headers that a record keeps at most. */
const MAX_HEADERS = 200;
/** Longest text of a header that a record keeps, UTF-16 units. */
const MAX_VALUE_LENGTH = 16 * 1024;
/** Cuts a text of a header to the length kept. */
function cut(text = ''): string {
  return storable(text.slice(0, MAX_VALUE_LENGTH));
}

/** Flags of a message that are kept, and their length at most. */
const MAX_FLAGS = 200;
const MAX_FLAG_LENGTH = 200;

/** The addresses of all headers of a name. */
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

/** A message with uid, flags, internalDate, size, and what was read of its source. */
export interface ReadMessage extends FetchMessageObject {
  /** Whether the source holds all texts of the message. Default: when it is as long as the message. */
  hasAllTexts?: boolean;
}

/** Makes the record of a fetched message: headers and bodies as text (never rendered as HTML), files by name and size. */
export async function messageRecord(place: MessagePlace, message: ReadMessage): Promise<ConnectorRecord> {
  const source = message.source ?? Buffer.alloc(0);
  const mail = await parseMail(source);
  const date = receivedAt(message.internalDate, mail.date);
  const flags = [...(message.flags ?? [])]
    .filter((flag) => flag !== '\\Recent' && flag.length <= MAX_FLAG_LENGTH)
    .slice(0, MAX_FLAGS)
    .map(storable)
    .sort();
  const { text, html } = mail;
  const size = message.size ?? source.length;
  const firstFrom = mail.headers.find(({ key, value }) => key === 'from' && value)?.value;
  const from = parseAddresses(firstFrom)[0] ?? { name: '', address: '' };

  const { hasAllTexts = size <= source.length } = message;
  const body = { text: clipped(text), html: clipped(html) };
  const data: JsonObject = {
    id: storable(recordId(place, message.uid)),
    from: { ...from },
    subject: cut(mail.subject),
    date: date.toISOString(),
    to: addressesOf(mail, 'to'),
    cc: addressesOf(mail, 'cc'),
    replyTo: addressesOf(mail, 'reply-to'),
    flags,
    unread: !flags.includes('\\Seen'),
    flagged: flags.includes('\\Flagged'),
    snippet: snippetOf(text || textOfHtml(html)),
    ...body,
    truncated: !hasAllTexts || body.text.length < text.length || body.html.length < html.length,
    attachments: filesOf(mail, message),
    size,
    mailbox: storable(place.mailbox),
    uid: message.uid,
    messageId: cut(mail.messageId),
    inReplyTo: cut(mail.inReplyTo),
    dateHeader: cut(mail.date),
    headers: mail.headers
      .slice(0, MAX_HEADERS)
      .map(({ originalKey, value }) => ({ name: cut(originalKey), value: cut(value) })),
  };
  return { id: data.id as string, occurredAt: date, data, columns: messageColumns(data) };
}
