import { z } from 'zod';
import {
  type ColumnValues,
  type ConnectorRecord,
  copiedBigint,
  copiedInstant,
  copiedText,
  copiedTexts,
  domainOf,
  htmlTextOf,
  type JsonObject,
  type MailAddress,
  ProviderError,
  parseAddresses,
  readMailDate,
  storable,
  storableInstant,
  truncateText,
} from '../sdk/index.ts';
import { idSchema } from './fields.ts';
import { unescapeSnippet } from './mail-text.ts';
import { contentOf, headerMapOf, headersOf } from './message-parts.ts';

/** Largest number of headers in a record. */
const MAX_HEADERS = 200;
/** Longest header value in a record, UTF-16 units. */
const MAX_VALUE_LENGTH = 16 * 1024;
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

/** Returns the time Gmail received the message, else its Date header, else the start of 1970. */
function occurredAt(internalDate: string | undefined, dateHeader: string | undefined): Date {
  const received = storableInstant(Number(internalDate ?? Number.NaN));
  return received ?? readMailDate(dateHeader) ?? new Date(0);
}

/**
 * Converts a message resource of Gmail (format full) to a record: headers as Gmail decoded them, bodies as text,
 * attachments by part id (attachment ids are ephemeral). @throws ProviderError `malformed` without an id
 */
export function messageRecord(raw: unknown): ConnectorRecord {
  const parsed = messageSchema.safeParse(raw);
  if (!parsed.success)
    throw new ProviderError('malformed', 'Gmail sent a message that cannot be read.', {
      cause: parsed.error,
    });
  const message = parsed.data;
  const listed = headersOf(message.payload);
  const headers = headerMapOf(listed);
  const { text, html, truncated, attachments } = contentOf(message.payload);
  const headerOf = (name: string) => (headers.get(name) ?? '').slice(0, MAX_VALUE_LENGTH).toWellFormed();
  const date = occurredAt(message.internalDate, headers.get('date'));
  const from = parseAddresses(headers.get('from'))[0] ?? { name: '', address: '' };
  const addresses = (name: string) => parseAddresses(headers.get(name)).map((entry) => ({ ...entry }));
  const data: JsonObject = {
    id: message.id,
    threadId: message.threadId,
    labelIds: message.labelIds,
    date: date.toISOString(),
    from: { ...from },
    to: addresses('to'),
    cc: addresses('cc'),
    replyTo: addresses('reply-to'),
    subject: headerOf('subject'),
    snippet: storable(unescapeSnippet(message.snippet)),
    text,
    html,
    truncated,
    attachments,
    messageId: headerOf('message-id'),
    inReplyTo: headerOf('in-reply-to'),
    dateHeader: readMailDate(headers.get('date'))?.toISOString() ?? headerOf('date'),
    size: message.sizeEstimate,
    headers: listed.slice(0, MAX_HEADERS).map(({ name, value }) => ({
      name: name.slice(0, MAX_VALUE_LENGTH).toWellFormed(),
      value: value.slice(0, MAX_VALUE_LENGTH).toWellFormed(),
    })),
  };
  return {
    id: message.id,
    occurredAt: date,
    data,
    columns: messageColumns(data),
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
    html_text: htmlTextOf(data),
  };
}
