import { z } from 'zod';
import { describePart, MAX_BLANK_BYTES, type MailHeader, type MimePart } from '../mail/index.ts';
import { storable } from '../sdk/index.ts';
import { decodeBase64Url } from './mail-text.ts';

/** Deepest nesting of parts that is read; real mail has at most ten levels. */
const MAX_DEPTH = 256;
const MAX_PARTS = 10_000;
const MAX_HEADERS = 10_000;
/** Longest name or value of a header, UTF-16 units; enough for some thousand addresses. */
const MAX_HEADER_LENGTH = 64 * 1024;

const text = z.string().optional().catch(undefined);

/** One part of a payload. Children are parsed one by one, so deep nesting cannot exhaust the stack. */
const partSchema = z.object({
  partId: text,
  mimeType: text,
  filename: text,
  headers: z.array(z.unknown()).optional().catch(undefined),
  body: z
    .object({ size: z.number().optional().catch(undefined), data: text, attachmentId: text })
    .nullish()
    .catch(undefined),
  parts: z.array(z.unknown()).optional().catch(undefined),
});
type Part = z.infer<typeof partSchema>;

const headerSchema = z.object({ name: z.string().catch(''), value: z.string().catch('') });

/** Returns the headers of a part; malformed headers are empty. */
function headersOf({ headers = [] }: Part): MailHeader[] {
  return headers.slice(0, MAX_HEADERS).map((header) => {
    const { name, value } = headerSchema.safeParse(header).data ?? { name: '', value: '' };
    return { name: name.slice(0, MAX_HEADER_LENGTH), value: value.slice(0, MAX_HEADER_LENGTH) };
  });
}

/** A part of a mail whose children are still added. */
interface PayloadPart extends MimePart {
  children: PayloadPart[];
}

/** Contents of parts in base64url, by part id, that were fetched on their own. */
export type TextsApart = ReadonlyMap<string, string>;

/** Describes a part of a payload. Its type is read from its headers, as that of a mail's source. */
function payloadPartOf(part: Part, texts: TextsApart): PayloadPart {
  const headers = headersOf(part);
  const description = describePart(headers, part.mimeType);
  const filename = part.filename || description.filename;
  const hasParts = (part.parts ?? []).length > 0;
  const isContainer = hasParts && !/^(multipart|message)\//.test(description.type);
  const isText = !hasParts && description.type.startsWith('multipart/');
  const { partId = '' } = part;
  const { size = 0, attachmentId } = part.body ?? {};
  const data = part.body?.data ?? texts.get(partId) ?? '';
  const isApart = data === '' && size > 0 && attachmentId !== undefined;
  const isShort = data !== '' && data.length <= 2 * MAX_BLANK_BYTES;
  return {
    ...description,
    ...(isContainer ? { type: 'multipart/mixed' } : {}),
    ...(isText ? { type: 'text/plain' } : {}),
    headers,
    filename,
    isNamed: filename !== '',
    children: [],
    read: () => decodeBase64Url(data),
    readFile: () => Buffer.from(data, 'base64url'),
    size,
    isBlank: isShort ? decodeBase64Url(data).toString().trim() === '' : size === 0 && data === '',
    // Gmail converts bodies to UTF-8 and keeps the declared charset; servers that imitate it keep the bytes.
    isConverted: true,
    id: storable(partId),
    ...(isApart ? { contentId: attachmentId } : {}),
  };
}

/** Converts a payload to the parts of a mail, without those of attached messages and delivery reports. */
export function mailOfPayload(payload: unknown, texts: TextsApart = new Map()): MimePart {
  const root = payloadPartOf(partSchema.safeParse(payload).data ?? {}, texts);
  const pending = [{ raw: payload, part: root, depth: 0 }];
  for (let count = 1; pending.length > 0; ) {
    const { raw, part: parent, depth } = pending.pop() as (typeof pending)[number];
    if (depth >= MAX_DEPTH || parent.type.startsWith('message/')) continue;
    const children = partSchema.safeParse(raw).data?.parts ?? [];
    for (const child of children.slice(0, MAX_PARTS - count)) {
      const parsed = partSchema.safeParse(child).data;
      if (!parsed) continue;
      const part = payloadPartOf(parsed, texts);
      parent.children.push(part);
      pending.push({ raw: child, part, depth: depth + 1 });
      count++;
    }
  }
  return root;
}

/** A text that must be fetched on its own. */
export interface TextApart {
  partId: string;
  attachmentId: string;
}

/** Largest number of texts of a message that are fetched on their own, and largest one, bytes. */
const MAX_TEXTS = 4;
const MAX_TEXT_BYTES = 32 * 1024 * 1024;

/** Returns the texts that must be fetched on their own, within the limits. */
export function textsToFetch(parts: readonly MimePart[]): TextApart[] {
  return parts
    .filter(({ size = 0 }) => size <= MAX_TEXT_BYTES)
    .slice(0, MAX_TEXTS)
    .map(({ id = '', contentId = '' }) => ({ partId: id, attachmentId: contentId }));
}
