import { z } from 'zod';
import { decodeText, type JsonObject, storable, unflow } from '../sdk/index.ts';
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

/** Collects the texts of one type, up to `BODY_LIMIT`. */
class TextCollector {
  readonly #pieces: string[] = [];
  #length = 0;

  add(part: Part, headers: Map<string, string>): void {
    if (this.#length > BODY_LIMIT) return;
    const declared = headers.get('content-type') ?? '';
    const charset = declared.match(/charset\s*=\s*"?([^\s";]+)/i)?.[1] ?? '';
    // Gmail converts bodies to UTF-8 and keeps the declared charset; servers that imitate it keep the bytes.
    const decoded = decodeText(decodeBase64Url(part.body?.data ?? ''), { charset, isConverted: true });
    const isFlowed =
      part.mimeType?.toLowerCase() !== 'text/html' && /format\s*=\s*"?flowed\b/i.test(declared);
    const text = isFlowed ? unflow(decoded, /delsp\s*=\s*"?yes\b/i.test(declared)) : decoded;
    this.#pieces.push(text);
    this.#length += text.length + 1;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  get truncated(): { text: string; truncated: boolean } {
    return truncateBody(this.#pieces.join('\n'));
  }
}

/** Collects the texts and files of a payload. */
class ContentCollector {
  readonly #plain = new TextCollector();
  readonly #html = new TextCollector();
  /** Texts of other types, used only if there is no plain or HTML text. */
  readonly #other = new TextCollector();
  readonly attachments: JsonObject[] = [];

  add(part: Part, type: string): void {
    const headers = headerMapOf(headersOf(part));
    if (part.filename || /^\s*attachment\s*(;|$)/i.test(headers.get('content-disposition') ?? '')) {
      if (this.attachments.length >= MAX_ATTACHMENTS) return;
      this.attachments.push({
        partId: storable(part.partId ?? ''),
        filename: storable((part.filename ?? '').slice(0, MAX_NAME_LENGTH)),
        mimeType: storable(type.slice(0, MAX_NAME_LENGTH)),
        size: part.body?.size ?? 0,
      });
      return;
    }
    if (part.body?.data === undefined) return;
    if (type === 'text/html') this.#html.add(part, headers);
    else if (type === 'text/plain' || type === '') this.#plain.add(part, headers);
    else if (type.startsWith('text/')) this.#other.add(part, headers);
  }

  get content(): Content {
    const isOther = this.#plain.isEmpty && this.#html.isEmpty;
    const text = (isOther ? this.#other : this.#plain).truncated;
    const html = this.#html.truncated;
    const truncated = text.truncated || html.truncated;
    return { text: text.text, html: html.text, truncated, attachments: this.attachments };
  }
}

/**
 * Reads the parts of a payload in order. An attachment has a file name or the disposition "attachment". Parts of an
 * attached message or delivery report do not belong to this message.
 */
export function contentOf(payload: unknown): Content {
  const collector = new ContentCollector();
  const pending = [{ raw: payload, depth: 0 }];
  for (let count = 0; pending.length > 0 && count < MAX_PARTS; count++) {
    const { raw, depth } = pending.pop() as { raw: unknown; depth: number };
    const part = partSchema.safeParse(raw).data;
    if (!part) continue;
    const type = (part.mimeType ?? '').toLowerCase();
    collector.add(part, type);
    if (depth >= MAX_DEPTH || type.startsWith('message/')) continue;
    // Push in reverse order, so that the first child is popped next.
    for (const child of (part.parts ?? []).slice(0, MAX_PARTS).reverse())
      pending.push({ raw: child, depth: depth + 1 });
  }
  return collector.content;
}
