/** Fetches one file of a message. Runs in the session thread. */
import type { FetchMessageObject } from 'imapflow';
import { parseMime } from '../mail/mime-parser.ts';
import { headerOf } from '../mail/mime-part.ts';
import { readMailParts } from '../mail/read-mail.ts';
import { decodeFile } from '../mail/transfer-encoding.ts';
import { type AttachmentProblem, type AttachmentRequest, matchingFile } from '../sdk/attachments.ts';
import { transferable } from '../sdk/thread-records.ts';
import { type BoundedImap, FILE_PIECE_BYTES } from './bounded-imap.ts';
import { STRUCTURE } from './mail-large.ts';
import { readFileHeads } from './mail-names.ts';
import { filesOfStructure, type StructuredFile } from './mail-parts.ts';
import { bytesFor, fetchByUid } from './mail-query.ts';
import { SMALL_BYTES } from './mail-read.ts';
import { headOf } from './mail-structure.ts';
import { BODY_LIMIT } from './mail-text.ts';

/** A request for a file of a message. */
export interface FileRequest extends Pick<AttachmentRequest, 'file' | 'index' | 'count' | 'maxBytes'> {
  uid: number;
}

type FileContent = Uint8Array<ArrayBuffer> | AttachmentProblem;

const START = {
  items: { uid: true, size: true, source: { maxLength: SMALL_BYTES } },
  bytes: bytesFor(SMALL_BYTES),
};
/** Encoded bytes that are fetched of a file, by its size: base64 and its line ends enlarge by 37 %, others by more. */
const ENCODED_FACTOR = 1.5;
const EMPTY = Buffer.alloc(0);

/** Reads a file from the source of its message, whose files have the order of the record. */
function fileOfSource(source: Buffer, request: FileRequest): FileContent {
  const files = readMailParts(parseMime(source), BODY_LIMIT).files.map(({ part, file }) => ({
    ...file,
    part,
  }));
  const found = matchingFile(files, request);
  if (!found) return 'attachment-gone';
  const { part } = found;
  return limited(Buffer.from(part.readFile?.() ?? part.read()), request);
}

function limited(bytes: Buffer, { maxBytes }: FileRequest): FileContent {
  return bytes.length > maxBytes ? 'too-large' : transferable(bytes);
}

/** Fetches a part, or the whole source, in pieces. A server that sends more than asked for is cut off by each command's limit. */
async function fetchInPieces(
  imap: BoundedImap,
  { uid, maxBytes }: FileRequest,
  part?: string,
): Promise<Buffer | AttachmentProblem> {
  const pieces: Buffer[] = [];
  const maxLength = FILE_PIECE_BYTES;
  for (let start = 0; start <= ENCODED_FACTOR * maxBytes; start += maxLength) {
    const range = { start, maxLength };
    const items =
      part === undefined ? { uid: true, source: range } : { uid: true, bodyParts: [{ key: part, ...range }] };
    const { messages, refusal } = await fetchByUid(imap, [uid], { items, bytes: bytesFor(maxLength) });
    const message = messages.get(uid);
    if (!message && refusal) throw refusal;
    if (!message) return 'record-gone';
    // NIL, or an empty text, after the end.
    const piece = (part === undefined ? message.source : message.bodyParts?.get(part)) || EMPTY;
    pieces.push(piece);
    if (piece.length < maxLength) return Buffer.concat(pieces);
  }
  return 'too-large';
}

/** Finds the part of a file in the structure of its message. */
async function findPart(
  imap: BoundedImap,
  { uid, source }: FetchMessageObject,
  request: FileRequest,
): Promise<(StructuredFile & { part: string; encoding: string }) | undefined> {
  const { messages } = await fetchByUid(imap, [uid], STRUCTURE);
  const structure = messages.get(uid)?.bodyStructure;
  if (!structure) return undefined;
  const head = headOf(source || EMPTY);
  const heads = head && (await readFileHeads(imap, [{ uid, structure, head }])).get(uid);
  const found = matchingFile(filesOfStructure(structure, heads), request);
  // A message without parts is its own first part.
  const part = found?.node === structure ? '1' : found?.node.part;
  if (!found || part === undefined) return undefined;
  const written = heads?.get(found.node === structure ? '' : part)?.headers ?? [];
  const encoding = headerOf(written, 'content-transfer-encoding') ?? found.node.encoding ?? '';
  return { ...found, part, encoding };
}

/**
 * Fetches a file: of a small message from its source, of a large one by its part, as the record was read. A file that the
 * server's structure does not have, e.g. because the server takes it for a text, is read from the whole source.
 * @throws imapflow's errors
 */
export async function readFile(imap: BoundedImap, request: FileRequest): Promise<FileContent> {
  const { uid, maxBytes } = request;
  const { messages, refusal } = await fetchByUid(imap, [uid], START);
  const message = messages.get(uid);
  if (!message && refusal) throw refusal;
  if (!message) return 'record-gone';
  const start = message.source || EMPTY;
  if (start.length < SMALL_BYTES) return fileOfSource(start, request);
  const found = await findPart(imap, message, request);
  if (found) {
    if (found.size > maxBytes) return 'too-large';
    const content = await fetchInPieces(imap, request, found.part);
    return typeof content === 'string' ? content : limited(decodeFile(content, found.encoding), request);
  }
  const source = await fetchInPieces(imap, request);
  return typeof source === 'string' ? source : fileOfSource(source, request);
}
