/** Reads the text of a large message without its files: what to ask for, and a mail made of the answers. */
import { randomUUID } from 'node:crypto';
import type { MessageStructureObject } from 'imapflow';
import { MESSAGE_BYTES } from './bounded-imap.ts';

/** Texts of a message that are read at most, and the depth to which they are looked for. */
const MAX_TEXT_PARTS = 16;
const MAX_DEPTH = 25;
const NEW_LINE = '\r\n';
const END_OF_HEAD = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);

/** A part of a message that is text, and how much of it is asked for. */
export interface TextPart {
  /** As IMAP numbers it: '1.2'. */
  part: string;
  maxLength: number;
}

/** The texts of a message. */
export interface TextPlan {
  parts: TextPart[];
  /** Whether a text is left out or cut. */
  isCut: boolean;
}

/** Returns the head of a source with the empty line after it; undefined when the source ends before. */
export function headOf(source: Buffer): Buffer | undefined {
  const end = source.indexOf(END_OF_HEAD);
  return end < 0 ? undefined : source.subarray(0, end + END_OF_HEAD.length);
}

const isMultipart = ({ type }: MessageStructureObject) => /^multipart\//i.test(type);

/** Whether a part may be text of the message; postal-mime decides when it has read the part's head. */
function isText({ type, disposition }: MessageStructureObject): boolean {
  return /^text\/(plain|html)$/i.test(type) && disposition?.toLowerCase() !== 'attachment';
}

/**
 * Plans which texts of a message to ask for, so many bytes at most.
 * @returns undefined where the structure is not that of a mail with files: then its beginning is read as it is
 */
export function planTexts(root: MessageStructureObject): TextPlan | undefined {
  // The mail is a file.
  if (!isMultipart(root) && !/^text\//i.test(root.type)) return { parts: [], isCut: false };
  if (!isMultipart(root) || !root.childNodes) return undefined;
  const plan: TextPlan = { parts: [], isCut: false };
  let left = MESSAGE_BYTES;
  const visit = (node: MessageStructureObject, depth: number): boolean => {
    if (depth > MAX_DEPTH) return false;
    if (isMultipart(node)) return (node.childNodes ?? []).every((child) => visit(child, depth + 1));
    if (!isText(node)) return true;
    const { part, size = 0 } = node;
    if (part === undefined || plan.parts.length === MAX_TEXT_PARTS) return false;
    plan.isCut ||= size > left;
    // A limit that most messages share: those with the same parts are read by one command.
    if (left > 0) plan.parts.push({ part, maxLength: size > left ? left : MESSAGE_BYTES });
    left = Math.max(0, left - size);
    return true;
  };
  return visit(root, 0) ? plan : undefined;
}

/** The contents of a message's parts by their IMAP names in lower case ('1.2', '1.2.mime'); false stands for NIL. */
export type PartContents = ReadonlyMap<string, Buffer | false>;

/** A large message as it is read. */
export interface LargeMessage {
  head: Buffer;
  structure: MessageStructureObject;
  /** Boundary of its parts as the parser reads it in the head; some servers read another one in broken heads. */
  boundary: string | undefined;
  plan: TextPlan;
}

/**
 * Writes the mail that a message would be without its files: its head, and its texts in the multiparts they belong to.
 * @returns undefined when the server left out a part that was asked for
 */
export function writeWithoutFiles(message: LargeMessage, contents: PartContents): Buffer | undefined {
  const planned = new Set(message.plan.parts.map(({ part }) => part));
  if (![...planned].every((part) => contents.has(part) && contents.has(`${part}.mime`))) return undefined;
  const pieces: Buffer[] = [message.head];
  const add = (text: string) => pieces.push(Buffer.from(text, 'latin1'));
  const addText = (part: string) => {
    // Some servers leave out the empty line at the end of a part's head.
    const mime = (contents.get(`${part}.mime`) || NOTHING).toString('latin1').trimEnd();
    const body = contents.get(part) || NOTHING;
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
