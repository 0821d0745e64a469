import { z } from 'zod';
import {
  type AlternativeTexts,
  type BodyPart,
  bodyTextsOf,
  decodeText,
  type JsonObject,
  joinTexts,
  storable,
  typeOf,
  unflow,
} from '../sdk/index.ts';
import { BODY_LIMIT, decodeBase64Url, truncateBody } from './mail-text.ts';

/** Deepest nesting of parts that is read; real mail has at most ten levels. */
const MAX_DEPTH = 256;
const MAX_PARTS = 10_000;
const MAX_ATTACHMENTS = 1000;
const MAX_HEADERS = 1000;
/** Longest name or value of a header, UTF-16 units; enough for some thousand addresses. */
const MAX_HEADER_LENGTH = 64 * 1024;
/** Longest file name, UTF-16 units. */
const MAX_NAME_LENGTH = 1000;

/** One mail header. */
export interface Header {
  name: string;
  value: string;
}

const text = z.string().optional().catch(undefined);

/** One part of a payload. Children are parsed one by one, so deep nesting cannot exhaust the stack. */
const partSchema = z.object({
  partId: text,
  mimeType: text,
  filename: text,
  headers: z.array(z.unknown()).optional().catch(undefined),
  body: z
    .object({ size: z.number().optional().catch(undefined), data: text })
    .nullish()
    .catch(undefined),
  parts: z.array(z.unknown()).optional().catch(undefined),
});
type Part = z.infer<typeof partSchema>;

const headerSchema = z.object({ name: z.string().catch(''), value: z.string().catch('') });

/** Returns the headers of a part; malformed headers are empty. */
export function headersOf(payload: unknown): Header[] {
  const headers = partSchema.safeParse(payload).data?.headers ?? [];
  return headers.slice(0, MAX_HEADERS).map((header) => {
    const { name, value } = headerSchema.safeParse(header).data ?? { name: '', value: '' };
    return {
      name: storable(name.slice(0, MAX_HEADER_LENGTH)),
      value: storable(value.slice(0, MAX_HEADER_LENGTH)),
    };
  });
}

/** Returns the first header of each name, keyed by lower-case name. */
export function headerMapOf(headers: readonly Header[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, value);
  }
  return found;
}

/** The texts and attachments of a message. */
export interface Content {
  text: string;
  html: string;
  /** Whether texts were truncated. */
  truncated: boolean;
  attachments: JsonObject[];
}

/** Returns the text of a part with LF as line ends, as IMAP's. */
function textOfPart({ part, type, headers }: PayloadPart): string {
  const declared = headers.get('content-type') ?? '';
  const charset = declared.match(/charset\s*=\s*"?([^\s";]+)/i)?.[1] ?? '';
  // Gmail converts bodies to UTF-8 and keeps the declared charset; servers that imitate it keep the bytes.
  const decoded = decodeText(decodeBase64Url(part.body?.data ?? ''), { charset, isConverted: true });
  const text = decoded.replaceAll('\r\n', '\n');
  const isFlowed = type !== 'text/html' && /format\s*=\s*"?flowed\b/i.test(declared);
  return isFlowed ? unflow(text, /delsp\s*=\s*"?yes\b/i.test(declared)) : text;
}

/** Reads the texts, of each type up to `BODY_LIMIT`, by the alternative that they are in. */
function readTexts(texts: Iterable<PayloadPart>): AlternativeTexts[] {
  const groups = new Map<PayloadPart, AlternativeTexts>();
  const lengths = { plain: 0, html: 0 };
  for (const part of texts) {
    const kind = part.type === 'text/html' ? 'html' : 'plain';
    if (part.part.body?.data === undefined || lengths[kind] > BODY_LIMIT) continue;
    const text = textOfPart(part);
    const key = part.alternative ?? part;
    const group = groups.get(key) ?? { plain: [], html: [] };
    groups.set(key, group);
    group[kind].push(text);
    lengths[kind] += text.length + 1;
  }
  return [...groups.values()];
}

/** A part of a payload with what decides whether it is text. */
interface PayloadPart extends BodyPart {
  part: Part;
  headers: Map<string, string>;
  children: PayloadPart[];
  /** The innermost alternative that has the part. */
  alternative?: PayloadPart;
}

function payloadPartOf(part: Part): PayloadPart {
  const declared = typeOf(part.mimeType ?? '');
  // A part with parts but without a type that has parts.
  const isContainer = (part.parts ?? []).length > 0 && !/^(multipart|message)\//.test(declared);
  const headers = headerMapOf(headersOf(part));
  return {
    part,
    headers,
    type: isContainer ? 'multipart/mixed' : declared,
    isNamed: Boolean(part.filename),
    isAttached: /^\s*attachment\s*(;|$)/i.test(headers.get('content-disposition') ?? ''),
    children: [],
  };
}

/** Reads the parts of a payload in order, without those of an attached message or delivery report. */
function partsOf(payload: unknown): PayloadPart[] {
  const found: PayloadPart[] = [];
  const pending: { raw: unknown; depth: number; parent?: PayloadPart }[] = [{ raw: payload, depth: 0 }];
  for (let count = 0; pending.length > 0 && count < MAX_PARTS; count++) {
    const { raw, depth, parent } = pending.pop() as (typeof pending)[number];
    const parsed = partSchema.safeParse(raw).data;
    if (!parsed) continue;
    const part = payloadPartOf(parsed);
    found.push(part);
    parent?.children.push(part);
    const alternative = parent?.type === 'multipart/alternative' ? parent : parent?.alternative;
    if (alternative) part.alternative = alternative;
    if (depth >= MAX_DEPTH || part.type.startsWith('message/')) continue;
    // Push in reverse order, so that the first child is popped next.
    for (const child of (parsed.parts ?? []).slice(0, MAX_PARTS).reverse())
      pending.push({ raw: child, depth: depth + 1, parent: part });
  }
  return found;
}

/** Returns the entry of a file in a record's `attachments`. */
function fileOf({ part, type }: PayloadPart): JsonObject {
  return {
    partId: storable(part.partId ?? ''),
    filename: storable((part.filename ?? '').slice(0, MAX_NAME_LENGTH)),
    mimeType: storable(type.slice(0, MAX_NAME_LENGTH)),
    size: part.body?.size ?? 0,
  };
}

/** Reads the texts and files of a payload. A file has a file name or the disposition "attachment", and is no text. */
export function contentOf(payload: unknown): Content {
  const parts = partsOf(payload);
  const texts = parts[0] ? bodyTextsOf(parts[0]) : new Set<PayloadPart>();
  const joined = joinTexts(readTexts(texts));
  const [plain, html] = [truncateBody(joined.text), truncateBody(joined.html)];
  const files = parts.filter((part) => !texts.has(part) && (part.isNamed || part.isAttached));
  return {
    text: plain.text,
    html: html.text,
    truncated: plain.truncated || html.truncated,
    attachments: files.slice(0, MAX_ATTACHMENTS).map(fileOf),
  };
}
