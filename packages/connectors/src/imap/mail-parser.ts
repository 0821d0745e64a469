import { isUtf8 } from 'node:buffer';
import PostalMime, { type Attachment, type Header } from 'postal-mime';
import { type BodyPart, bodyTextsOf, typeOf } from '../sdk/mail-body-texts.ts';
import { decodeText } from '../sdk/mail-charset.ts';
import { readMailDate } from '../sdk/mail-date.ts';
import { unflow } from '../sdk/mail-flowed.ts';
import { joinTexts } from '../sdk/mail-joined-texts.ts';
import { decodeWords, extendedParameter } from '../sdk/mail-words.ts';
import { decodeBody } from './transfer-encoding.ts';

/** Longest mail header that is parsed again without its Content-* fields. */
const MAX_HEAD_BYTES = 256 * 1024;
const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;
const ESC = 0x1b;
/** Bytes of a line that decide whether it is a header. */
const MAX_PEEK = 1000;
/** A header, a folded one, or the first line of an mbox. */
const FIELD = /^([!-9;-~]+[ \t]{0,99}:|[ \t]|>?From )/;
const BOUNDARY = /boundary\s{0,9}=\s{0,9}(?:"([^"]+)"|([^\s;"]+))/i;
const NEW_LINE = Buffer.from('\n');

/** The parts of a parsed mail that a record needs. */
export interface Mail {
  headers: Header[];
  subject: string;
  messageId: string;
  inReplyTo: string;
  /** The Date header in ISO format if it is valid, else as written. */
  date: string | undefined;
  text: string;
  html: string;
  attachments: Attachment[];
}

const EMPTY: Mail = {
  headers: [],
  subject: '',
  messageId: '',
  inReplyTo: '',
  date: undefined,
  text: '',
  html: '',
  attachments: [],
};

/** Collects the body of a part. Replaces postal-mime's decoders, which copy each body through a Blob. */
class PartBody {
  readonly #encoding: string;
  readonly #pieces: Uint8Array[] = [];

  constructor(encoding: string) {
    this.#encoding = encoding;
  }

  /** Adds a line without its end; called by postal-mime. */
  update(line: Uint8Array): void {
    this.#pieces.push(line, NEW_LINE);
  }

  /** Adds whole lines unchanged. */
  add(lines: Uint8Array): void {
    this.#pieces.push(lines);
  }

  /** Returns the decoded body; called by postal-mime. */
  finalize(): Uint8Array {
    const [first, ...more] = this.#pieces;
    return decodeBody(first && more.length === 0 ? first : Buffer.concat(this.#pieces), this.#encoding);
  }
}

/** A header with parameters, as written and as postal-mime reads it. */
interface StructuredHeader {
  value: string;
  parsed: { value: string; params: Record<string, string> };
}

/** The fields of postal-mime 4.0.0's MIME parts that are used here. */
interface MimePart {
  childNodes: MimePart[];
  state: 'header' | 'body' | 'finished';
  headerLines: string[];
  headers: Header[];
  contentType: StructuredHeader & { multipart: string | false };
  contentDisposition: StructuredHeader;
  contentDecoder: PartBody | null;
  content: ArrayBuffer | Uint8Array | null;
  setupContentDecoder(encoding: string): void;
  processHeaders(): void;
  getTextContent(): string;
  feed(line: Uint8Array): void;
}

interface Texts {
  plain?: { value: string }[];
  html?: { value: string }[];
}

/** Returns the line from `start` to `end` without trailing CRs. */
function lineOf(source: Uint8Array, start: number, end: number): Uint8Array {
  let last = end;
  while (last > start && source[last - 1] === CR) last--;
  return source.subarray(start, last);
}

function setPartBody(this: MimePart, encoding: string): void {
  this.contentDecoder = new PartBody(encoding);
}

/** Returns the text of a part in its charset, with flowed lines joined; called by postal-mime. */
function textOfPart(this: MimePart): string {
  if (!this.content) return '';
  const { charset = '', format = '', delsp = '' } = this.contentType.parsed.params;
  const text = decodeText(new Uint8Array(this.content), { charset });
  return /^flowed$/i.test(format) ? unflow(text, /^yes$/i.test(delsp)) : text;
}

/** Returns the beginning of a line or text, in Latin-1. */
const startOf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, MAX_PEEK)).toString('latin1');

/** Returns whether a header line is not what postal-mime takes it for: UTF-8 without escape sequences. */
const isRaw = (line: Uint8Array) => !isUtf8(line) || line.includes(ESC);

/** Returns the charset that the Content-Type of a part declares; empty if there is none. */
function charsetOf({ headerLines }: MimePart): string {
  const declared = /^content-type\s*:(?:.|\n[ \t])*?charset\s*=\s*"?([^\s";]+)/im;
  return declared.exec(headerLines.join('\n'))?.[1] ?? '';
}

/** Reads the headers of a part again whose bytes were neither ASCII nor UTF-8. */
function readRawHeaders(part: MimePart, lines: ReadonlyMap<number, Uint8Array>, charset: string): void {
  for (const [index, line] of lines) part.headerLines[index] = decodeText(line, { charset });
  part.headers = [];
  Object.getPrototypeOf(part).processHeaders.call(part);
}

/** Decodes the file names of a part, which have any charset, for postal-mime. */
function readFileName({ value, parsed: { params } }: StructuredHeader, name: 'filename' | 'name'): void {
  const found = extendedParameter(value, name) ?? params[name];
  if (found !== undefined) params[name] = decodeWords(found);
}

/** Describes a part and those inside, and corrects an odd type for postal-mime. Its depth is bounded by postal-mime. */
function bodyPartOf(part: MimePart): BodyPart & { part: MimePart; children: readonly BodyPart[] } {
  const { contentType, contentDisposition, childNodes } = part;
  const children = childNodes.map(bodyPartOf);
  readFileName(contentDisposition, 'filename');
  readFileName(contentType, 'name');
  const type = children.length > 0 ? contentType.parsed.value : typeOf(contentType.parsed.value);
  // A multipart without parts is a text.
  if (children.length === 0) contentType.multipart = false;
  contentType.parsed.value = children.length === 0 && type.startsWith('multipart/') ? 'text/plain' : type;
  const isNamed = Boolean(contentDisposition.parsed.params.filename || contentType.parsed.params.name);
  const isAttached = contentDisposition.parsed.value === 'attachment';
  return { part, type: contentType.parsed.value, isNamed, isAttached, children };
}

/**
 * Parses a mail like postal-mime, except that attached messages, reports and named texts are files, that texts are
 * converted between plain and HTML in linear time, and that bodies are read in chunks instead of lines. The declared
 * members are postal-mime's own, missing from its types.
 */
class MailParser extends PostalMime {
  declare readonly root: MimePart;
  declare readonly currentNode: MimePart;
  declare readonly boundaries: readonly unknown[];
  declare readonly textMap: Map<unknown, Texts>;
  declare readonly attachments: Attachment[];
  declare readonly processLine: (line: Uint8Array, isFinal: boolean) => Promise<void>;
  declare readonly finalize: () => Promise<void>;
  declare readonly collectNode: (node: MimePart, alternative: undefined, related: boolean) => Promise<void>;

  #bodyTexts: ReadonlySet<MimePart> = new Set();
  #boundary: { part: MimePart; value: string } | undefined;
  readonly #rawLines = new Map<MimePart, Map<number, Uint8Array>>();

  constructor() {
    super({ maxRfc822NestingDepth: 0 });
  }

  /** Parses one mail; create a parser for each. @throws postal-mime's errors when a mail exceeds its limits */
  async read(source: Buffer): Promise<Mail> {
    for (let at = 0; at < source.length; ) {
      const part = this.currentNode;
      const bodyEnd = part.state === 'header' ? at : this.#endOfBody(source, at);
      if (bodyEnd > at) {
        part.contentDecoder?.add(source.subarray(at, bodyEnd));
        at = bodyEnd;
        continue;
      }
      part.setupContentDecoder = setPartBody;
      const found = source.indexOf(LF, at);
      const end = found < 0 ? source.length : found;
      const line = lineOf(source, at, end);
      if (part.state === 'header' && this.#isBodyStart(part, line, () => startOf(source.subarray(end + 1)))) {
        // A body without a blank line before it.
        part.feed(source.subarray(0, 0));
        continue;
      }
      at = end + 1;
      // Only a line that may be a boundary needs to be awaited.
      if (line[0] === DASH) await this.processLine(line, false);
      else {
        if (part.state === 'header' && isRaw(line)) this.#noteRawLine(part, line);
        part.feed(line);
      }
    }
    await this.finalize();
    this.#readRootHeaders();
    this.#bodyTexts = new Set([...bodyTextsOf(bodyPartOf(this.root))].map(({ part }) => part));
    await this.collectNode(this.root, undefined, false);
    return { ...this.#readHeaders(), ...this.#joinTexts(), attachments: this.attachments };
  }

  /** Returns whether a line after headers is the first one of a body: the boundary of its parts, or text before other text. */
  #isBodyStart(part: MimePart, line: Uint8Array, next: () => string): boolean {
    const text = startOf(line);
    const boundary = BOUNDARY.exec(text);
    if (boundary) this.#boundary = { part, value: `--${boundary[1] ?? boundary[2]}` };
    if (text.startsWith('--'))
      return this.#boundary?.part === part && text.trimEnd() === this.#boundary.value;
    if (text === '' || FIELD.test(text)) return false;
    const following = next();
    // A line before the blank line after headers is an invalid header.
    return /^\r?\n/.test(following) ? part.headerLines.length === 0 : !FIELD.test(following);
  }

  /** Notes a header line, so that it is decoded when the charset of its part is known. */
  #noteRawLine(part: MimePart, line: Uint8Array): void {
    const lines = this.#rawLines.get(part) ?? new Map<number, Uint8Array>();
    lines.set(part.headerLines.length, line);
    this.#rawLines.set(part, lines);
    part.processHeaders = () => readRawHeaders(part, lines, charsetOf(part));
  }

  /** Decodes the headers of a mail with parts, which have no charset of their own, in that of its first text. */
  #readRootHeaders(): void {
    const lines = this.#rawLines.get(this.root);
    if (!lines || charsetOf(this.root) !== '') return;
    const pending = [this.root];
    let charset = '';
    for (let part = pending.pop(); part && charset === ''; part = pending.pop()) {
      charset = part.contentType.parsed.params.charset ?? '';
      pending.push(...part.childNodes.toReversed());
    }
    readRawHeaders(this.root, lines, charset);
  }

  /** Reads the multipart boundary from a mail's header; undefined when it is not a multipart. */
  async readBoundary(head: Buffer): Promise<string | undefined> {
    await this.read(head);
    const { value, parsed } = this.root.contentType;
    return typeOf(value).startsWith('multipart/') ? parsed.params.boundary : undefined;
  }

  /** Returns the offset of the next line that may be a boundary, or the end of the source. */
  #endOfBody(source: Buffer, at: number): number {
    if (this.boundaries.length === 0) return source.length;
    if (source[at] === DASH && source[at + 1] === DASH) return at;
    const found = source.indexOf('\n--', at);
    return found < 0 ? source.length : found + 1;
  }

  #readHeaders(): Omit<Mail, 'text' | 'html' | 'attachments'> {
    const headers = this.root.headers.map(({ key, originalKey, value }) => ({ key, originalKey, value }));
    const headerOf = (name: string) => headers.find(({ key }) => key === name)?.value;
    const decoded = (name: string) => decodeWords(headerOf(name) ?? '');
    const written = headerOf('date');
    return {
      headers,
      subject: decoded('subject'),
      messageId: decoded('message-id'),
      inReplyTo: decoded('in-reply-to'),
      date: readMailDate(written)?.toISOString() ?? written,
    };
  }

  #joinTexts(): Pick<Mail, 'text' | 'html'> {
    const valuesOf = (texts: Texts['plain']) => (texts ?? []).map(({ value }) => value);
    return joinTexts(
      [...this.textMap.values()].map(({ plain, html }) => ({ plain: valuesOf(plain), html: valuesOf(html) })),
    );
  }

  isInlineTextNode(part: MimePart): boolean {
    part.getTextContent = textOfPart;
    return this.#bodyTexts.has(part);
  }
}

/** Removes the Content-* fields from a mail header. */
function plainHead(head: string): string {
  const kept: string[] = [];
  let isKept = true;
  for (const line of head.slice(0, MAX_HEAD_BYTES).split('\r\n')) {
    if (!/^[ \t]/.test(line)) isKept = !/^content-/i.test(line);
    if (isKept) kept.push(line);
  }
  return `${kept.join('\r\n')}\r\n\r\n`;
}

/** Parses a mail, or only its headers if its body cannot be parsed. */
export async function parseMail(source: Buffer): Promise<Mail> {
  try {
    return await new MailParser().read(source);
  } catch {
    const head = source.toString('latin1', 0, Math.max(0, source.indexOf('\r\n\r\n')));
    return new MailParser().read(Buffer.from(plainHead(head), 'latin1')).catch(() => EMPTY);
  }
}

/** Reads the multipart boundary from a mail's header; undefined if it is not a multipart or cannot be parsed. */
export async function readBoundary(head: Buffer): Promise<string | undefined> {
  return new MailParser().readBoundary(head).catch(() => undefined);
}

/** Returns whether a part is an attachment for the user: it has a file name or the disposition "attachment". */
export function isAttachment({
  filename,
  disposition,
}: Pick<Attachment, 'filename' | 'disposition'>): boolean {
  return Boolean(filename) || disposition === 'attachment';
}
