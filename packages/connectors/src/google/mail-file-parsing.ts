import { z } from 'zod';
import { parseMime } from '../mail/mime-parser.ts';
import { type MimePart, partsWithAlternatives } from '../mail/mime-part.ts';
import { mailOfPayload } from './mail-parts.ts';

/** A response of Gmail that has a file of a message, or says where it is. */
export interface FileTask {
  /** The structure of a message (format full), an attachment, or the source of a message (format raw). */
  file: 'structure' | 'attachment' | 'source';
  json: Uint8Array;
  partId: string;
}

/** Where Gmail has the content of a part: in the response, by an id that is valid for a short time, or in the source alone. */
export type FilePlace =
  | { bytes: Uint8Array }
  | { attachmentId: string; size: number }
  | { sourceSize: number };

/** The results of `FileTask`, by its kind. */
export interface FileResults {
  /** Null if the message has no such part. */
  structure: FilePlace | null;
  /** Null for a malformed response. */
  attachment: Uint8Array | null;
  /** Null if the source has no such part. */
  source: Uint8Array | null;
}

const structureSchema = z.object({ sizeEstimate: z.number().catch(0), payload: z.unknown() });
const attachmentSchema = z.object({ data: z.string() });
const sourceSchema = z.object({ raw: z.string() });

const leavesOf = (root: MimePart) =>
  partsWithAlternatives(root)
    .map(({ part }) => part)
    .filter(({ children }) => children.length === 0);

/** Finds a part in the structure of a message. */
function findPlace(body: unknown, partId: string): FilePlace | null {
  const { payload, sizeEstimate = 0 } = structureSchema.safeParse(body).data ?? {};
  const part = leavesOf(mailOfPayload(payload)).find(({ id }) => id === partId);
  if (!part) return null;
  const { size = 0, contentId } = part;
  if (contentId !== undefined) return { attachmentId: contentId, size };
  const bytes = part.readFile?.() ?? part.read();
  // An attached message has parts of its own, and its bytes are in the source alone.
  const isElsewhere = bytes.length === 0 && (size > 0 || part.type.startsWith('message/'));
  return isElsewhere ? { sourceSize: sizeEstimate } : { bytes };
}

/** Reads a part from the source of a message. Gmail numbers parts by their positions, from 0: `1.0`. */
function readFromSource(body: unknown, partId: string): Uint8Array | null {
  const { raw } = sourceSchema.safeParse(body).data ?? {};
  if (raw === undefined) return null;
  let part: MimePart | undefined = parseMime(Buffer.from(raw, 'base64url'));
  for (const position of partId === '' ? [] : partId.split('.')) part = part?.children[Number(position)];
  return part?.readFile?.() ?? null;
}

/** Reads a file, or the place of one, from a response. @throws SyntaxError for invalid JSON */
export function parseFile({ file, json, partId }: FileTask): FileResults[FileTask['file']] {
  const body: unknown = JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString());
  if (file === 'structure') return findPlace(body, partId);
  if (file === 'source') return readFromSource(body, partId);
  const { data } = attachmentSchema.safeParse(body).data ?? {};
  return data === undefined ? null : Buffer.from(data, 'base64url');
}
