import type { MessageStructureObject } from 'imapflow';
import type { JsonObject } from '../sdk/json.ts';
import { type BodyPart, bodyTextsOf, typeOf } from '../sdk/mail-body-texts.ts';
import { fileOf, MAX_ATTACHMENTS } from '../sdk/read-mail.ts';

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

/** Lists the files of a large message from the server's BODYSTRUCTURE. */
export function attachmentsOf(structure: MessageStructureObject): JsonObject[] {
  const texts = textNodesOf(structure);
  return structurePartsOf(structure)
    .filter(({ node, type, isNamed, isAttached }) => {
      const isContainer = type.startsWith('multipart/') && node.childNodes !== undefined;
      return !isContainer && !texts.has(node) && (isNamed || isAttached);
    })
    .slice(0, MAX_ATTACHMENTS)
    .map(({ node, filename, type }) => ({ ...fileOf(filename ?? '', type, contentSize(node)) }));
}
