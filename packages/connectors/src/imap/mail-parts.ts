import type { MessageStructureObject } from 'imapflow';
import { type BodyPart, bodyTextsOf, typeOf } from '../mail/body-texts.ts';
import type { PartDescription } from '../mail/mime-part.ts';
import { fileOf, MAX_ATTACHMENTS, type MailFile } from '../mail/read-mail.ts';
import type { JsonObject } from '../sdk/json.ts';

/** Largest number of parts examined. */
const MAX_PARTS = 10_000;

/** Bytes of a line of an encoding including its line end, and of the content that it encodes. */
const LINES: Readonly<Record<string, readonly [line: number, content: number]>> = {
  base64: [78, 57],
  'x-uuencode': [63, 45],
  uuencode: [63, 45],
};

/** Estimates the size of a part's content (bytes) from its encoded size. */
function contentSize({ size = 0, encoding = '' }: MessageStructureObject): number {
  const [line, content] = LINES[encoding.toLowerCase()] ?? [1, 1];
  return Math.floor((size * content) / line);
}

/** Size of a part with a line end alone, bytes. */
const BLANK_BYTES = 2;

/** A part of a BODYSTRUCTURE with what decides whether it is text. */
interface StructurePart extends BodyPart {
  node: MessageStructureObject;
  filename: string | null;
  children: StructurePart[];
}

function structurePartOf(node: MessageStructureObject): StructurePart {
  const filename = node.dispositionParameters?.filename ?? node.parameters?.name ?? null;
  const isAttached = node.disposition?.toLowerCase() === 'attachment';
  return {
    node,
    filename,
    type: typeOf(node.type),
    isNamed: Boolean(filename),
    isAttached,
    isBlank: (node.size ?? 1) <= BLANK_BYTES,
    children: [],
  };
}

/** Returns the parts of a BODYSTRUCTURE, the message first. The parts of an attached message belong to that message. */
function structurePartsOf(structure: MessageStructureObject): StructurePart[] {
  const parts = [structurePartOf(structure)];
  for (let index = 0; index < parts.length; index++) {
    const parent = parts[index] as StructurePart;
    if (parent.type.startsWith('message/')) continue;
    for (const child of (parent.node.childNodes ?? []).slice(0, MAX_PARTS - parts.length)) {
      const part = structurePartOf(child);
      parent.children.push(part);
      parts.push(part);
    }
  }
  return parts;
}

/** Returns the parts of a BODYSTRUCTURE that are the text of the message. */
export function textNodesOf(structure: MessageStructureObject): Set<MessageStructureObject> {
  const [root] = structurePartsOf(structure);
  return new Set(root && [...bodyTextsOf(root)].map(({ node }) => node));
}

/** Returns the parts of a BODYSTRUCTURE that may be files: all but texts and multiparts. */
function possibleFilesOf(structure: MessageStructureObject): StructurePart[] {
  const texts = textNodesOf(structure);
  return structurePartsOf(structure).filter(({ node, type }) => {
    const isContainer = type.startsWith('multipart/') && node.childNodes !== undefined;
    return !isContainer && !texts.has(node);
  });
}

/** Returns the parts of a BODYSTRUCTURE that may be files. */
export function fileNodesOf(structure: MessageStructureObject): MessageStructureObject[] {
  return possibleFilesOf(structure).map(({ node }) => node);
}

/** A file of a large message, and its part. */
export interface StructuredFile extends MailFile {
  node: MessageStructureObject;
}

/**
 * Lists the files of a large message from the server's BODYSTRUCTURE.
 * @param heads what the headers of files say, which servers repeat less reliably in the structure; by part number, '' for the message itself
 */
export function filesOfStructure(
  structure: MessageStructureObject,
  heads: ReadonlyMap<string, PartDescription> = new Map(),
): StructuredFile[] {
  return possibleFilesOf(structure)
    .map((part) => {
      const head = heads.get(part.node === structure ? '' : (part.node.part ?? ''));
      return { ...part, ...head, filename: head?.filename || part.filename };
    })
    .filter(({ filename, isAttached }) => filename || isAttached)
    .slice(0, MAX_ATTACHMENTS)
    .map(({ node, filename, type }) => ({ ...fileOf(filename ?? '', type, contentSize(node)), node }));
}

/** Lists the files of a large message as its record stores them. */
export function attachmentsOf(...of: Parameters<typeof filesOfStructure>): JsonObject[] {
  return filesOfStructure(...of).map(({ node: _, ...file }) => file);
}
