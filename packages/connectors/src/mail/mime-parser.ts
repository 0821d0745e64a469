import { isUtf8 } from 'node:buffer';
import { MAX_BLANK_BYTES, typeOf } from './body-texts.ts';
import { decodeText } from './charset.ts';
import { lineAt, readHead } from './mime-head.ts';
import { describePart, headerOf, type MimePart, partsWithAlternatives } from './mime-part.ts';
import { readParameters } from './parameters.ts';
import { decodeBody, decodeFile } from './transfer-encoding.ts';

/** Deepest nesting of parts that is read; real mail has at most ten levels. */
const MAX_DEPTH = 256;
const MAX_PARTS = 10_000;
/** Longest delimiter; RFC 2046 allows 74 characters. */
const MAX_DELIMITER = 1000;
/** Lines of a header that are compared with the boundary that it declares. */
const MAX_COMPARED = 100;
const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;
const ESC = '\x1b';
/** Returns whether a value with a character per byte is not ASCII, or has escape sequences of other characters. */
const isRaw = (value: string) => /[\x80-\xff]/.test(value) || value.includes(ESC);

/** A part while it is read: its headers have one character per byte. */
interface SourcePart extends MimePart {
  defaultType: string;
  children: SourcePart[];
  start: number;
  /** Offset of the end of the body; missing while it is read. */
  end: number | undefined;
}

/** A multipart whose end has not been read. */
interface OpenPart {
  part: SourcePart;
  boundary: string;
}

/** A line that separates parts of an open multipart. */
interface Delimiter {
  /** Index of the multipart among the open ones. */
  index: number;
  isLast: boolean;
}

/** Returns the boundary of a multipart; undefined for other parts. */
function boundaryOf(type: string, parameters: MimePart['parameters']): string | undefined {
  const boundary = type.startsWith('multipart/') ? (parameters.get('boundary') ?? '').trimEnd() : '';
  return boundary === '' || boundary.length > MAX_DELIMITER ? undefined : boundary;
}

/** Returns whether the lines after a header begin with the boundary that it declares. */
function isBoundaryOf(line: string, contentType: string | undefined): boolean {
  if (contentType === undefined || line.length > MAX_DELIMITER) return false;
  const boundary = boundaryOf(typeOf(contentType), readParameters(contentType));
  return boundary !== undefined && line.trimEnd() === `--${boundary}`;
}

/** Returns the bytes with LF as line ends, if they have the CR of old Macs alone. */
function withLineFeeds(source: Buffer): Buffer {
  if (source.includes(LF) || !source.includes(CR)) return source;
  return Buffer.from(source.map((byte) => (byte === CR ? LF : byte)));
}

/** Returns whether a body has blanks alone. */
const isBlank = (body: Buffer) => body.length <= MAX_BLANK_BYTES && body.toString('latin1').trim() === '';

/** Splits a mail at the delimiters of its multiparts, in one pass. Attached messages are not split. */
class MimeReader {
  readonly #source: Buffer;
  readonly #open: OpenPart[] = [];
  readonly #all: SourcePart[] = [];
  /** The part whose body is read. */
  #current: SourcePart | undefined;
  #at = 0;

  constructor(source: Buffer) {
    this.#source = source;
  }

  /** Returns the mail. Its headers are not decoded. */
  read(): SourcePart {
    const root = this.#startPart('text/plain');
    while (this.#open.length > 0 && this.#at < this.#source.length) this.#readLine();
    for (const part of this.#all) {
      // A multipart without parts is a text.
      if (part.children.length === 0 && part.type.startsWith('multipart/')) part.type = 'text/plain';
      part.isOpen = part.end === undefined;
      part.end ??= this.#source.length;
      part.isBlank = isBlank(this.#source.subarray(part.start, part.end));
    }
    return root;
  }

  /** Reads the header at the current offset. */
  #startPart(defaultType: string): SourcePart {
    let compared = 0;
    const { fields, bodyStart } = readHead(this.#source, this.#at, (line, readContentType) => {
      if (this.#delimiterOf(line)) return true;
      return compared++ < MAX_COMPARED && isBoundaryOf(line, readContentType());
    });
    this.#at = bodyStart;
    const part: SourcePart = {
      ...describePart(fields, defaultType),
      defaultType,
      headers: fields,
      children: [],
      start: bodyStart,
      end: undefined,
      read: () => {
        const encoding = headerOf(fields, 'content-transfer-encoding') ?? '';
        return decodeBody(this.#source.subarray(bodyStart, part.end), encoding);
      },
      readFile: () => {
        const encoding = headerOf(part.headers, 'content-transfer-encoding') ?? '';
        return decodeFile(this.#source.subarray(bodyStart, this.#contentEnd(part)), encoding);
      },
    };
    this.#all.push(part);
    this.#current = part;
    const boundary = boundaryOf(part.type, part.parameters);
    if (boundary !== undefined && this.#open.length < MAX_DEPTH) this.#open.push({ part, boundary });
    return part;
  }

  /** Reads up to the next line that may be a delimiter, and the part that it begins. */
  #readLine(): void {
    const source = this.#source;
    if (source[this.#at] !== DASH || source[this.#at + 1] !== DASH) {
      const found = source.indexOf('\n--', this.#at);
      this.#at = found < 0 ? source.length : found + 1;
      if (found < 0) return;
    }
    const start = this.#at;
    const { line, next } = lineAt(source, start);
    const delimiter = this.#delimiterOf(line);
    this.#at = next;
    if (!delimiter) return;
    this.#endParts(delimiter, start);
    const parent = this.#open[delimiter.index]?.part;
    if (delimiter.isLast || !parent) return;
    const isDigest = parent.type === 'multipart/digest';
    const part = this.#startPart(isDigest ? 'message/rfc822' : 'text/plain');
    parent.children.push(part);
  }

  /** Returns where the content of a part ends: the line end before a delimiter belongs to the delimiter. */
  #contentEnd({ start, end = this.#source.length }: SourcePart): number {
    if (end === this.#source.length) return end;
    const isBefore = (at: number, byte: number) => at > start && this.#source[at - 1] === byte;
    const line = isBefore(end, LF) ? end - 1 : end;
    return line < end && isBefore(line, CR) ? line - 1 : line;
  }

  #delimiterOf(line: string): Delimiter | undefined {
    if (this.#open.length === 0 || line.length > MAX_DELIMITER || this.#all.length >= MAX_PARTS)
      return undefined;
    const text = line.slice(2).trimEnd();
    const find = (boundary: string) => this.#open.findLastIndex((open) => open.boundary === boundary);
    const index = find(text);
    if (index >= 0) return { index, isLast: false };
    const last = text.endsWith('--') ? find(text.slice(0, -2)) : -1;
    return last < 0 ? undefined : { index: last, isLast: true };
  }

  /** Ends the parts before a delimiter, and its multipart if it is the last one. */
  #endParts({ index, isLast }: Delimiter, offset: number): void {
    const ended = this.#open.splice(isLast ? index : index + 1);
    for (const part of [this.#current, ...ended.map(({ part }) => part)]) if (part) part.end ??= offset;
    this.#current = undefined;
  }
}

/** Decodes the headers of parts that are not ASCII: by the charset of the part, else by that of the first one in the mail. */
function decodeHeaders(parts: readonly SourcePart[], defaultCharset: string): void {
  const raw = parts.filter(({ headers }) => headers.some(({ value }) => isRaw(value)));
  if (raw.length === 0) return;
  const first = parts.map(({ parameters }) => parameters.get('charset')).find(Boolean) ?? defaultCharset;
  for (const part of raw) {
    const charset = part.parameters.get('charset') || first;
    const headers = part.headers.map(({ name, value }) => ({ name, value: decodeRaw(value, charset) }));
    const { type: _, ...description } = describePart(headers, part.defaultType);
    Object.assign(part, description, { headers });
  }
}

function decodeRaw(value: string, charset: string): string {
  if (!isRaw(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) && !value.includes(ESC) ? bytes.toString() : decodeText(bytes, { charset });
}

/** Returns the bytes after the byte order mark of UTF-8, if they begin with one. */
function withoutByteOrderMark(source: Buffer): Buffer {
  return source.toString('latin1', 0, 3) === '\xef\xbb\xbf' ? source.subarray(3) : source;
}

/**
 * Parses the source of a mail, or the header of one of its parts. Never throws: what cannot be parsed is text.
 * @param defaultCharset of headers that are not ASCII in a source without a charset
 */
export function parseMime(source: Buffer, defaultCharset = ''): MimePart {
  const root = new MimeReader(withLineFeeds(withoutByteOrderMark(source))).read();
  decodeHeaders(
    partsWithAlternatives(root).map(({ part }) => part as SourcePart),
    defaultCharset,
  );
  return root;
}

/** Returns the boundary that the header of a mail declares for its parts; undefined if there is none. */
export function readBoundary(head: Buffer): string | undefined {
  const type = headerOf(parseMime(head).headers, 'content-type');
  return type === undefined ? undefined : boundaryOf(typeOf(type), readParameters(type));
}
