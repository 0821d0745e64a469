import type { FetchMessageObject } from 'imapflow';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { type ConnectorRecord, type JsonObject, storableInstant } from '../sdk/index.ts';
import { attachmentsOf } from './message-parts.ts';
import { clipped, snippetOf, storableDocument, textOfHtml } from './message-text.ts';

const MAX_HEADERS = 200;

/** Where a message is: its id is stable as long as the server keeps the mailbox's numbering. */
export interface MessagePlace {
  mailbox: string;
  uidValidity: string;
}

/** The record id of a message. */
export function recordId({ mailbox, uidValidity }: MessagePlace, uid: number): string {
  return `${mailbox}/${uidValidity}/${uid}`;
}

const EMPTY: Email = { headers: [], headerLines: [], attachments: [] };

/** Reads a mail, or its headers alone where its body cannot be read. */
async function parseMail(source: Buffer): Promise<Email> {
  try {
    return await PostalMime.parse(source);
  } catch {
    const end = source.indexOf('\r\n\r\n');
    const head = Buffer.concat([source.subarray(0, Math.max(0, end)), Buffer.from('\r\n\r\n')]);
    const plain = Buffer.from(
      head.toString('latin1').replaceAll(/^content-[^:]*:.*(\r\n[ \t].*)*\r\n/gim, ''),
      'latin1',
    );
    return PostalMime.parse(plain).catch(() => EMPTY);
  }
}

function addresses(list: readonly (Address | undefined)[] | undefined): JsonObject[] {
  return (list ?? []).flatMap((entry) => {
    if (entry === undefined) return [];
    const members = entry.group ?? [entry];
    return members.map(({ name, address }) => ({ name, address: address ?? '' }));
  });
}

/** The instant the server received it, else that of its Date header, else 1970. */
export function receivedAt(internalDate: Date | string | undefined, header?: string): Date {
  for (const candidate of [internalDate, header]) {
    if (candidate === undefined) continue;
    const date = storableInstant(new Date(candidate).getTime());
    if (date) return date;
  }
  return new Date(0);
}

const byteLength = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === 'string' ? content.length : content.byteLength;

function filesOf(mail: Email, message: FetchMessageObject): JsonObject[] {
  if (message.bodyStructure) return attachmentsOf(message.bodyStructure);
  return mail.attachments.map(({ filename, mimeType, content }) => ({
    filename: filename ?? '',
    mimeType,
    size: byteLength(content),
  }));
}

function facetsOf(data: JsonObject, from: { name: string; address: string }): JsonObject {
  const address = from.address.toLowerCase();
  return {
    subject: data.subject ?? '',
    sender: address || from.name,
    senderName: from.name,
    domain: address.slice(address.lastIndexOf('@') + 1),
    mailbox: data.mailbox ?? '',
    unread: data.unread ?? false,
    flagged: data.flagged ?? false,
    attachments: (data.attachments as JsonObject[]).length,
    size: data.size ?? 0,
  };
}

/**
 * A fetched message -> our record: headers and bodies as text (never rendered as HTML), files by name and size.
 * @param message with uid, flags, internalDate, size and source, which may be its beginning only
 */
export async function messageRecord(
  place: MessagePlace,
  message: FetchMessageObject,
): Promise<ConnectorRecord> {
  const source = message.source ?? Buffer.alloc(0);
  const mail = await parseMail(source);
  const date = receivedAt(message.internalDate, mail.date);
  const flags = [...(message.flags ?? [])].filter((flag) => flag !== '\\Recent').sort();
  const { text = '', html = '' } = mail;
  const size = message.size ?? source.length;
  const [from = { name: '', address: '' }] = addresses([mail.from]) as { name: string; address: string }[];
  const data = storableDocument({
    id: recordId(place, message.uid),
    from: { ...from },
    subject: mail.subject ?? '',
    date: date.toISOString(),
    to: addresses(mail.to),
    cc: addresses(mail.cc),
    replyTo: addresses(mail.replyTo),
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
    messageId: mail.messageId ?? '',
    inReplyTo: mail.inReplyTo ?? '',
    dateHeader: mail.date ?? '',
    headers: mail.headers
      .slice(0, MAX_HEADERS)
      .map(({ originalKey, value }) => ({ name: originalKey, value })),
  }) as JsonObject;
  const sender = data.from as { name: string; address: string };
  return { id: data.id as string, occurredAt: date, data, facets: facetsOf(data, sender) };
}
