import type { MessageStructureObject } from 'imapflow';
import type { JsonObject } from '../sdk/json.ts';
import { type BodyPart, bodyTextsOf, typeOf } from '../sdk/mail-body-texts.ts';
import { storable } from '../sdk/storable.ts';

/** Largest number of files in a record, and of parts examined. */
export const MAX_ATTACHMENTS = 1000;
const MAX_PARTS = 10_000;
/** Longest file name, UTF-16 units. */
const MAX_NAME_LENGTH = 1000;

/** Returns the entry of a file in a record's `attachments`. @param size bytes */
export function fileOf(filename: string | null | undefined, mimeType: string, size: number): JsonObject {
  return {
    filename: storable((filename ?? '').slice(0, MAX_NAME_LENGTH)),
    mimeType: storable(mimeType.slice(0, MAX_NAME_LENGTH)),
    size,
  };
}

/** Bytes of a base64 line including its line end, and of the content that it encodes. */
const BASE64_LINE = 78;
const BASE64_CONTENT = 57;

/** Estimates the size of a part's content (bytes) from its encoded size. */
function contentSize({ size = 0, encoding }: MessageStructureObject): number {
  return encoding?.toLowerCase() === 'base64' ? Math.floor((size * BASE64_CONTENT) / BASE64_LINE) : size;
}

/** A part of a BODYSTRUCTURE with what decides whether it is text. */
interface StructurePart extends BodyPart {
  node: MessageStructureObject;
  filename: string | null;
  children: StructurePart[];
}

function structurePartOf(node: MessageStructureObject): StructurePart {
  const filename = node.dispositionParameters?.filename ?? node.parameters?.name ?? null;
  const isAttached = node.disposition?.toLowerCase() === 'attachment';
  return { node, filename, type: typeOf(node.type), isNamed: Boolean(filename), isAttached, children: [] };
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
    .map(({ node, filename, type }) => fileOf(filename, type, contentSize(node)));
}
