/** Plans the fetch of a large message's texts without its files, and assembles a mail from the fetched parts. */
import { randomUUID } from 'node:crypto';
import type { MessageStructureObject } from 'imapflow';
import { MESSAGE_BYTES } from './bounded-imap.ts';
import { textNodesOf } from './mail-parts.ts';

/** Largest number of texts read per message, and deepest nesting searched for texts. */
const MAX_TEXT_PARTS = 16;
const MAX_DEPTH = 25;
const NEW_LINE = '\r\n';
const END_OF_HEAD = '\r\n\r\n';
const EMPTY = Buffer.alloc(0);

/** A text part of a message and the number of bytes to fetch. */
export interface TextPart {
  /** IMAP part number, e.g. '1.2'. */
  part: string;
  maxLength: number;
  /** Size in bytes that the server reports, which may be wrong. */
  size: number;
}

/** The text parts of a message to fetch. */
export interface TextPlan {
  parts: TextPart[];
  /** Whether a text is omitted, because the texts before it fill `MESSAGE_BYTES`. */
  isTruncated: boolean;
}

/** Returns the header of a source including the empty line after it; undefined when the source ends earlier. */
export function headOf(source: Buffer): Buffer | undefined {
  const end = source.indexOf(END_OF_HEAD);
  return end < 0 ? undefined : source.subarray(0, end + END_OF_HEAD.length);
}

const isMultipart = ({ type }: MessageStructureObject) => /^multipart\//i.test(type);

/**
 * Plans which texts of a message to fetch, within `MESSAGE_BYTES` in total.
 * @returns undefined if the structure is not that of a mail with files; the caller then reads the start of its source
 */
export function planTexts(root: MessageStructureObject): TextPlan | undefined {
  // The whole mail is a file.
  if (!isMultipart(root) && !/^text\//i.test(root.type)) return { parts: [], isTruncated: false };
  if (!isMultipart(root) || !root.childNodes) return undefined;
  const plan: TextPlan = { parts: [], isTruncated: false };
  const texts = textNodesOf(root);
  let bytesLeft = MESSAGE_BYTES;
  const visit = (node: MessageStructureObject, depth: number): boolean => {
    if (depth > MAX_DEPTH) return false;
    if (isMultipart(node)) return (node.childNodes ?? []).every((child) => visit(child, depth + 1));
    if (!texts.has(node)) return true;
    const { part, size = 0 } = node;
    if (part === undefined || plan.parts.length === MAX_TEXT_PARTS) return false;
    plan.isTruncated ||= bytesLeft === 0;
    // Use one common limit where possible: messages with equal plans are fetched by one command.
    const maxLength = size > bytesLeft ? bytesLeft : MESSAGE_BYTES;
    if (bytesLeft > 0) plan.parts.push({ part, maxLength, size });
    bytesLeft = Math.max(0, bytesLeft - size);
    return true;
  };
  return visit(root, 0) ? plan : undefined;
}

/** Contents of a message's parts by lower-case IMAP name ('1.2', '1.2.mime'); false means NIL. */
export type PartContents = ReadonlyMap<string, Buffer | false>;

/** A large message and the plan to read it. */
export interface LargeMessage {
  head: Buffer;
  structure: MessageStructureObject;
  /** Multipart boundary as our parser reads it; servers may read another one in malformed headers. */
  boundary: string | undefined;
  plan: TextPlan;
}

/** Returns whether a plan's texts were received to their ends. Only the received bytes say so. */
export function hasAllTexts({ plan }: LargeMessage, contents: PartContents): boolean {
  const isWhole = ({ part, maxLength, size }: TextPart) => {
    const { length } = contents.get(part) || EMPTY;
    return length < maxLength || length === size;
  };
  return !plan.isTruncated && plan.parts.every(isWhole);
}

/**
 * Assembles a mail without its files: the header, and the texts in their multiparts.
 * @returns undefined when the server omitted a requested part, or sent nothing for one that has a size
 */
export function writeWithoutFiles(message: LargeMessage, contents: PartContents): Buffer | undefined {
  const planned = new Set(message.plan.parts.map(({ part }) => part));
  const isSent = ({ part, size }: TextPart) =>
    contents.has(`${part}.mime`) && (contents.get(part) || EMPTY).length >= Math.min(size, 1);
  if (!message.plan.parts.every(isSent)) return undefined;
  const pieces: Buffer[] = [message.head];
  const add = (text: string) => pieces.push(Buffer.from(text, 'latin1'));
  const addText = (part: string) => {
    // Some servers omit the empty line at the end of a part's header.
    const mime = (contents.get(`${part}.mime`) || EMPTY).toString('latin1').trimEnd();
    const body = contents.get(part) || EMPTY;
    add(mime === '' ? NEW_LINE : `${mime}${END_OF_HEAD}`);
    pieces.push(body);
    if (body.length > 0) add(NEW_LINE);
  };
  const addParts = (node: MessageStructureObject, boundary: string) => {
    for (const child of node.childNodes ?? []) {
      const { part = '', type } = child;
      if (!isMultipart(child) && !planned.has(part)) continue;
      add(`--${boundary}${NEW_LINE}`);
      if (isMultipart(child)) {
        const inner = randomUUID();
        add(`Content-Type: ${type}; boundary="${inner}"${END_OF_HEAD}`);
        addParts(child, inner);
      } else addText(part);
    }
    add(`--${boundary}--${NEW_LINE}`);
  };
  if (message.boundary !== undefined) addParts(message.structure, message.boundary);
  return Buffer.concat(pieces);
}
