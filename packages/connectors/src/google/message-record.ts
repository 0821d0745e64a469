import { z } from 'zod';
import {
  type ConnectorRecord,
  type JsonObject,
  ProviderError,
  storable,
  storableInstant,
} from '../sdk/index.ts';
import { domainOf, parseAddresses } from './addresses.ts';
import { idSchema } from './fields.ts';
import { clip, decodeText, unescapeSnippet } from './mail-text.ts';

const headerSchema = z
  .object({ name: z.string().catch(''), value: z.string().catch('') })
  .catch({ name: '', value: '' });

interface Part {
  partId?: string | undefined;
  mimeType?: string | undefined;
  filename?: string | undefined;
  headers?: { name: string; value: string }[] | undefined;
  body?:
    | { size?: number | undefined; data?: string | undefined; attachmentId?: string | undefined }
    | null
    | undefined;
  parts?: Part[] | undefined;
}

const partSchema: z.ZodType<Part> = z.lazy(() =>
  z.object({
    partId: z.string().optional().catch(undefined),
    mimeType: z.string().optional().catch(undefined),
    filename: z.string().optional().catch(undefined),
    headers: z.array(headerSchema).optional().catch(undefined),
    body: z
      .object({
        size: z.number().optional().catch(undefined),
        data: z.string().optional().catch(undefined),
        attachmentId: z.string().optional().catch(undefined),
      })
      .nullish()
      .catch(undefined),
    parts: z.array(partSchema.catch({})).optional().catch(undefined),
  }),
);

/** What is read of Gmail's message resource; a damaged payload must not lose the message. */
const messageSchema = z.object({
  id: idSchema,
  threadId: idSchema.catch(''),
  // Which labels a message carries decides whether it is kept: one that cannot be read must not hide the others.
  labelIds: z
    .array(idSchema.nullable().catch(null))
    .catch([])
    .transform((ids) => ids.filter((id) => id !== null)),
  snippet: z.string().catch(''),
  internalDate: z.string().optional().catch(undefined),
  sizeEstimate: z.number().catch(0),
  payload: partSchema.optional().catch(undefined),
});

/** Deepest nesting of parts that is walked. */
const MAX_DEPTH = 256;
const MAX_HEADERS = 200;

interface Content {
  text: string[];
  html: string[];
  attachments: JsonObject[];
}

function headersOf(part: Part | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, value } of part?.headers ?? []) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, storable(value));
  }
  return found;
}

function charsetOf(part: Part): string {
  const type = headersOf(part).get('content-type') ?? '';
  return type.match(/charset\s*=\s*"?([^\s";]+)/i)?.[1] ?? '';
}

/** base64url of the API -> bytes; characters outside the alphabet are skipped. */
function bytesOf(data: string): Uint8Array {
  return Buffer.from(data, 'base64url');
}

function collect(part: Part, content: Content, depth: number): void {
  const type = (part.mimeType ?? '').toLowerCase();
  const isFile = Boolean(part.filename) || part.body?.attachmentId !== undefined;
  if (isFile) {
    content.attachments.push({
      partId: part.partId ?? '',
      filename: storable(part.filename ?? ''),
      mimeType: type,
      size: part.body?.size ?? 0,
    });
  } else if (
    part.body?.data !== undefined &&
    (type === 'text/html' || type.startsWith('text/') || type === '')
  ) {
    const text = decodeText(bytesOf(part.body.data), charsetOf(part));
    (type === 'text/html' ? content.html : content.text).push(text);
  }
  if (depth < MAX_DEPTH) for (const child of part.parts ?? []) collect(child, content, depth + 1);
}

/** The instant Gmail received the message, else that of its Date header, else 1970. */
function occurredAt(internalDate: string | undefined, dateHeader: string | undefined): Date {
  for (const candidate of [Number(internalDate ?? Number.NaN), Date.parse(dateHeader ?? '')]) {
    const date = storableInstant(candidate);
    if (date) return date;
  }
  return new Date(0);
}

/**
 * A message resource of Gmail (format full) -> our record: headers as Gmail decoded them, bodies as text,
 * attachments by part id (attachment ids are ephemeral). @throws ProviderError `malformed` without an id
 */
export function messageRecord(raw: unknown): ConnectorRecord {
  const parsed = messageSchema.safeParse(raw);
  if (!parsed.success)
    throw new ProviderError('malformed', 'Gmail sent a message that cannot be read.', {
      cause: parsed.error,
    });
  const message = parsed.data;
  const headers = headersOf(message.payload);
  const content: Content = { text: [], html: [], attachments: [] };
  if (message.payload) collect(message.payload, content, 0);
  const text = clip(content.text.join('\n'));
  const html = clip(content.html.join('\n'));
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
    subject: headers.get('subject') ?? '',
    snippet: storable(unescapeSnippet(message.snippet)),
    text: text.text,
    html: html.text,
    truncated: text.truncated || html.truncated,
    attachments: content.attachments,
    messageId: headers.get('message-id') ?? '',
    inReplyTo: headers.get('in-reply-to') ?? '',
    dateHeader: headers.get('date') ?? '',
    size: message.sizeEstimate,
    headers: (message.payload?.headers ?? [])
      .slice(0, MAX_HEADERS)
      .map(({ name, value }) => ({ name: storable(name), value: storable(value) })),
  };
  return {
    id: message.id,
    occurredAt: date,
    data,
    facets: facetsOf(data, message.labelIds, from.address.toLowerCase()),
  };
}

function facetsOf(data: JsonObject, labels: string[], sender: string): JsonObject {
  const from = data.from as JsonObject;
  return {
    subject: data.subject as string,
    sender: sender || String(from.name),
    senderName: from.name as string,
    domain: domainOf(sender),
    labels,
    thread: data.threadId as string,
    unread: labels.includes('UNREAD'),
    attachments: (data.attachments as JsonObject[]).length,
    size: data.size as number,
  };
}
