import { z } from 'zod';
import {
  datedMail,
  domainOf,
  htmlTextOf,
  type MailAddress,
  readMailDate,
  readMailParts,
} from '../mail/index.ts';
import {
  type ColumnValues,
  type ConnectorRecord,
  copiedBigint,
  copiedInstant,
  copiedText,
  copiedTexts,
  type JsonObject,
  ProviderError,
  storable,
  storableInstant,
  truncateText,
} from '../sdk/index.ts';
import { idSchema } from './fields.ts';
import { mailOfPayload, type TextApart, type TextsApart, textsToFetch } from './mail-parts.ts';
import { BODY_LIMIT, unescapeSnippet } from './mail-text.ts';

/** Longest label id in a record, UTF-16 units; Gmail's have about 20. */
const MAX_LABEL_LENGTH = 1000;
const MAX_LABELS = 1000;

/** The fields of Gmail's message resource that are read; a malformed payload must not lose the message. */
const messageSchema = z.object({
  id: idSchema,
  threadId: idSchema.catch(''),
  // Labels decide whether a message is in scope, so skip a malformed label but keep the others.
  labelIds: z
    .array(idSchema.nullable().catch(null))
    .catch([])
    .transform((ids) =>
      ids.filter((id) => id !== null && id.length <= MAX_LABEL_LENGTH).slice(0, MAX_LABELS),
    ),
  snippet: z.string().catch(''),
  internalDate: z.string().optional().catch(undefined),
  sizeEstimate: z.number().catch(0),
  payload: z.unknown().optional(),
});

/** A record, and the texts that it lacks because Gmail returns them on their own. */
export interface MailRecord extends ConnectorRecord {
  textsApart?: TextApart[];
}

/** Returns the time Gmail received the message, else its Date header, else the start of 1970. */
function receivedAt(internalDate: string | undefined, dateHeader: string | undefined): Date {
  const received = storableInstant(Number(internalDate ?? Number.NaN));
  return received ?? readMailDate(dateHeader) ?? new Date(0);
}

/**
 * Converts a message resource of Gmail (format full) to a record: headers as Gmail decoded them, bodies as text,
 * attachments by part id (attachment ids are ephemeral).
 * @param texts contents of the parts that Gmail returns on their own
 * @throws ProviderError `malformed` without an id
 */
export function messageRecord(raw: unknown, texts?: TextsApart): MailRecord {
  const parsed = messageSchema.safeParse(raw);
  if (!parsed.success)
    throw new ProviderError('malformed', 'Gmail sent a message that cannot be read.', {
      cause: parsed.error,
    });
  const message = parsed.data;
  const mail = readMailParts(mailOfPayload(message.payload, texts), BODY_LIMIT);
  const people = (list: MailAddress[]) => list.map((person) => ({ ...person }));
  const textsApart = textsToFetch(mail.textsApart);
  const data: JsonObject = {
    id: message.id,
    threadId: message.threadId,
    labelIds: message.labelIds,
    date: receivedAt(message.internalDate, mail.date).toISOString(),
    from: { ...mail.from },
    to: people(mail.to),
    cc: people(mail.cc),
    replyTo: people(mail.replyTo),
    subject: mail.subject,
    snippet: storable(unescapeSnippet(message.snippet)),
    text: mail.text,
    html: mail.html,
    truncated: mail.isTruncated,
    attachments: mail.files.map(({ part, file }) => ({ partId: part.id ?? '', ...file })),
    messageId: mail.messageId,
    inReplyTo: mail.inReplyTo,
    dateHeader: mail.date,
    size: message.sizeEstimate,
    headers: mail.headers.map((header) => ({ ...header })),
  };
  return {
    id: message.id,
    ...datedMail(data, messageColumns),
    ...(textsApart.length > 0 ? { textsApart } : {}),
  };
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
    labels: copiedTexts(data.labelIds),
    thread: copiedText(data.threadId),
    unread: (data.labelIds as string[]).includes('UNREAD'),
    attachments: (data.attachments as JsonObject[]).length,
    size: copiedBigint(data.size),
    date: copiedInstant(data.date, 3),
    received_at: copiedInstant(data.receivedAt, 3),
    html_text: htmlTextOf(data),
  };
}
