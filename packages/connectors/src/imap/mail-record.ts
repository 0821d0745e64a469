import type { FetchMessageObject } from 'imapflow';
import { datedMail } from '../mail/arrival.ts';
import { textOfHtml } from '../mail/html.ts';
import { parseMime } from '../mail/mime-parser.ts';
import { MAX_ATTACHMENTS, type ReadMail, readMailParts } from '../mail/read-mail.ts';
// Import from the files, not the index, because the session thread needs nothing else.
import type { ConnectorRecord } from '../sdk/connector.ts';
import type { JsonObject } from '../sdk/json.ts';
import { storable } from '../sdk/storable.ts';
import { recordFlags } from './known-messages.ts';
import { type MailboxRef, messageColumns, recordId } from './mail-columns.ts';
import type { FileHeads } from './mail-names.ts';
import { attachmentsOf } from './mail-parts.ts';
import { BODY_LIMIT, snippetOf } from './mail-text.ts';
import { receivedAt } from './received-at.ts';

function filesOf({ files }: ReadMail, { bodyStructure, fileHeads, isAssembled }: ReadMessage): JsonObject[] {
  const read = files.map(({ file }) => ({ ...file }));
  if (!bodyStructure) return read;
  const listed = attachmentsOf(bodyStructure, fileHeads);
  // A server may take a file with an odd header for a text.
  return isAssembled ? [...listed, ...read].slice(0, MAX_ATTACHMENTS) : listed;
}

/** A message with uid, flags, internalDate, size, and the part of its source that was read. */
export interface ReadMessage extends FetchMessageObject {
  /** Whether `source` contains all texts of the message. Default: whether it is as long as the message. */
  hasAllTexts?: boolean;
  /** Whether `source` was assembled from the parts of the message that are texts for the server. */
  isAssembled?: boolean;
  /** What the headers of its files say. Default: what `bodyStructure` says. */
  fileHeads?: FileHeads;
}

/** Converts a fetched message to a record: headers and bodies as text (never rendered as HTML), files by name and size. */
export async function messageRecord(mailboxRef: MailboxRef, message: ReadMessage): Promise<ConnectorRecord> {
  const source = message.source ?? Buffer.alloc(0);
  const mail = readMailParts(parseMime(source), BODY_LIMIT);
  const flags = recordFlags(message.flags);
  const { text, html } = mail;
  const size = message.size ?? source.length;
  const { hasAllTexts = size <= source.length } = message;
  const people = (list: ReadMail['to']) => list.map((person) => ({ ...person }));
  const data: JsonObject = {
    id: storable(recordId(mailboxRef, message.uid)),
    from: { ...mail.from },
    subject: mail.subject,
    date: receivedAt(message.internalDate, mail.date).toISOString(),
    to: people(mail.to),
    cc: people(mail.cc),
    replyTo: people(mail.replyTo),
    flags,
    unread: !flags.includes('\\Seen'),
    flagged: flags.includes('\\Flagged'),
    snippet: snippetOf(text.trim() === '' ? textOfHtml(html) : text),
    text,
    html,
    truncated: !hasAllTexts || mail.isTruncated,
    attachments: filesOf(mail, message),
    size,
    mailbox: storable(mailboxRef.mailbox),
    uid: message.uid,
    messageId: mail.messageId,
    inReplyTo: mail.inReplyTo,
    dateHeader: mail.date,
    headers: mail.headers.map((header) => ({ ...header })),
  };
  return { id: data.id as string, ...datedMail(data, messageColumns) };
}
