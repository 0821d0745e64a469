import type { FetchMessageObject } from 'imapflow';
import type { Email } from 'postal-mime';
// Not through the index: the thread of a session needs nothing else.
import type { ConnectorRecord } from '../sdk/connector.ts';
import type { JsonObject } from '../sdk/json.ts';
import { parseAddresses } from '../sdk/mail-addresses.ts';
import { storableDocument } from '../sdk/storable.ts';
import { isAttachment, parseMail } from './mail-parser.ts';
import { type MessagePlace, messageColumns, recordId } from './message-columns.ts';
import { attachmentsOf, fileOf, MOST_ATTACHMENTS } from './message-parts.ts';
import { clipped, snippetOf, textOfHtml } from './message-text.ts';
import { receivedAt } from './received-at.ts';

/** Headers that a record keeps at most. */
const MAX_HEADERS = 200;
/** Longest text of a header that a record keeps, UTF-16 units. */
const LONGEST_VALUE = 16 * 1024;
/** Flags of a message that are kept, and their length at most. */
const MOST_FLAGS = 200;
const LONGEST_FLAG = 200;

/** The addresses of all headers of a name. */
function addressesOf(mail: Email, name: string): JsonObject[] {
  const values = mail.headers.filter(({ key }) => key === name).map(({ value }) => value);
  return parseAddresses(values.join(', ')).map((entry) => ({ ...entry }));
}

const byteLength = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === 'string' ? content.length : content.byteLength;

function filesOf(mail: Email, message: FetchMessageObject): JsonObject[] {
  if (message.bodyStructure) return attachmentsOf(message.bodyStructure);
  return mail.attachments
    .filter(isAttachment)
    .slice(0, MOST_ATTACHMENTS)
    .map(({ filename, mimeType, content }) => fileOf(filename, mimeType, byteLength(content)));
}

/**
 * Makes the record of a fetched message: headers and bodies as text (never rendered as HTML), files by name and size.
 * @param message with uid, flags, internalDate, size and source, which may be its beginning only
 */
export async function messageRecord(
  place: MessagePlace,
  message: FetchMessageObject,
): Promise<ConnectorRecord> {
  const source = message.source ?? Buffer.alloc(0);
  const mail = await parseMail(source);
  const date = receivedAt(message.internalDate, mail.date);
  const flags = [...(message.flags ?? [])]
    .filter((flag) => flag !== '\\Recent' && flag.length <= LONGEST_FLAG)
    .slice(0, MOST_FLAGS)
    .sort();
  const { text = '', html = '' } = mail;
  const size = message.size ?? source.length;
  const firstFrom = mail.headers.find(({ key, value }) => key === 'from' && value)?.value;
  const from = parseAddresses(firstFrom)[0] ?? { name: '', address: '' };
  const cut = (value: string | undefined) => (value ?? '').slice(0, LONGEST_VALUE);
  const data = storableDocument({
    id: recordId(place, message.uid),
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
    text: clipped(text),
    html: clipped(html),
    truncated:
      size > source.length || clipped(text).length < text.length || clipped(html).length < html.length,
    attachments: filesOf(mail, message),
    size,
    mailbox: place.mailbox,
    uid: message.uid,
    messageId: cut(mail.messageId),
    inReplyTo: cut(mail.inReplyTo),
    dateHeader: cut(mail.date),
    headers: mail.headers
      .slice(0, MAX_HEADERS)
      .map(({ originalKey, value }) => ({ name: cut(originalKey), value: cut(value) })),
  }) as JsonObject;
  return { id: data.id as string, occurredAt: date, data, columns: messageColumns(data) };
}
