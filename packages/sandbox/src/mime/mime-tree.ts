import { decodeText } from './charset.ts';
import { type Header, headerValue, readHeaders } from './header-block.ts';
import { readParameters } from './parameters.ts';
import { decodeTransfer } from './transfer-encoding.ts';

/** A node of a message: a container with children, or a leaf with content. */
export interface MimePart {
  /** '' for the message itself, '0', '1', '1.0' below it, as in the Gmail API. */
  partId: string;
  mimeType: string;
  filename: string;
  headers: Header[];
  /** Whether the sender marked it as an attachment. */
  attached: boolean;
  /** The decoded content; text is converted to UTF-8. Empty for containers, embedded messages and delivery reports. */
  content: Buffer;
  children: MimePart[];
}

/** Maximum nesting depth; deeper parts stay plain content. */
const MAX_DEPTH = 60;
/** Maximum number of parts; further parts stay in the content of the last one. */
const MAX_PARTS = 5000;
/** Types whose content is parsed as one child: a message with headers and a body. */
const EMBEDDED = new Set([
  'message/rfc822',
  'message/global',
  'message/delivery-status',
  'message/global-delivery-status',
]);

/** Parses a message. Never throws: unparsable content becomes text. */
export function readMessage(raw: Buffer): MimePart {
  return readPart(withNewlines(raw), '', { depth: 0, budget: { parts: MAX_PARTS }, digest: false });
}

/** Parsing options that depend on the position in the tree. */
interface Nesting {
  depth: number;
  /** The remaining number of parts of the message. */
  budget: { parts: number };
  /** Whether the parent is multipart/digest, whose parts are messages by default. */
  digest: boolean;
}

function readPart(bytes: Buffer, partId: string, nesting: Nesting): MimePart {
  const { headers, bodyStart } = readHeaders(bytes);
  const type = readParameters(headerValue(headers, 'content-type'));
  const disposition = readParameters(headerValue(headers, 'content-disposition'));
  const fallback = nesting.digest ? 'message/rfc822' : 'text/plain';
  const mimeType = /^[^\s/]+\/[^\s/]+$/.test(type.value) ? type.value : fallback;
  const filename = disposition.parameters.get('filename') ?? type.parameters.get('name') ?? '';
  const part: MimePart = {
    partId,
    mimeType,
    filename,
    headers,
    attached: disposition.value === 'attachment',
    content: Buffer.alloc(0),
    children: [],
  };
  const body = bytes.subarray(bodyStart);
  const inner = { ...nesting, depth: nesting.depth + 1, digest: mimeType === 'multipart/digest' };
  const boundary = type.parameters.get('boundary');
  const isContainer = nesting.depth < MAX_DEPTH && nesting.budget.parts > 0;
  if (isContainer && mimeType.startsWith('multipart/') && boundary) {
    part.children = splitParts(body, boundary, nesting.budget).map((child, index) =>
      readPart(child, childId(partId, index), inner),
    );
    if (part.children.length > 0) return part;
  }
  if (mimeType.startsWith('multipart/')) part.mimeType = 'text/plain';
  const content = decodeTransfer(body, headerValue(headers, 'content-transfer-encoding'));
  if (isContainer && EMBEDDED.has(mimeType)) {
    nesting.budget.parts -= 1;
    part.children = [readPart(content, childId(partId, 0), inner)];
    return part;
  }
  part.content = part.mimeType.startsWith('text/')
    ? asUtf8(content, type.parameters.get('charset'))
    : content;
  return part;
}

/** Iterates over all parts, the message first. */
export function* walkParts(part: MimePart): Generator<MimePart> {
  yield part;
  for (const child of part.children) yield* walkParts(child);
}

function asUtf8(content: Buffer, charset: string | undefined): Buffer {
  const isAscii = !content.some((byte) => byte > 0x7f || byte === 0x1b);
  if (isAscii && !/utf-?(7|16|32)|hz-gb|iso-2022-kr/i.test(charset ?? '')) return content;
  return Buffer.from(decodeText(content, charset), 'utf8');
}

function childId(parent: string, index: number): string {
  return parent === '' ? String(index) : `${parent}.${index}`;
}

/** Splits a body at its delimiter lines; a missing end delimiter is allowed. Reduces the budget. */
function splitParts(body: Buffer, boundary: string, budget: { parts: number }): Buffer[] {
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  const parts: Buffer[] = [];
  let start = -1;
  for (
    let at = body.indexOf(delimiter);
    at >= 0 && budget.parts > 0;
    at = body.indexOf(delimiter, at + delimiter.length)
  ) {
    if (at > 0 && body[at - 1] !== 0x0a) continue;
    const tail = body.toString('latin1', at + delimiter.length, at + delimiter.length + 200);
    const line = /^(--)?[ \t]*(\r?\n|$)/.exec(tail);
    if (!line) continue;
    if (start >= 0) {
      parts.push(body.subarray(start, beforeNewline(body, at, start)));
      budget.parts -= 1;
    }
    start = at + delimiter.length + line[0].length;
    if (line[1]) return parts;
  }
  if (start >= 0 && start < body.length) parts.push(body.subarray(start));
  return parts;
}

function beforeNewline(body: Buffer, at: number, start: number): number {
  const back = body[at - 2] === 0x0d ? 2 : 1;
  return Math.max(start, at - back);
}

/** Removes a mark of UTF-8, and converts odd line ends: repeated carriage returns, and the bare ones of old Macs. */
function withNewlines(source: Buffer): Buffer {
  const raw = source.toString('latin1', 0, 3) === '\xef\xbb\xbf' ? source.subarray(3) : source;
  if (raw.includes('\r\r\n'))
    return Buffer.from(raw.toString('latin1').replaceAll(/\r{2,9}\n/g, '\r\n'), 'latin1');
  if (raw.includes(0x0a) || !raw.includes(0x0d)) return raw;
  return Buffer.from(raw.toString('latin1').replaceAll('\r', '\n'), 'latin1');
}
