/** Fetches one file of a message. Runs in the session thread. */
import type { FetchMessageObject } from 'imapflow';
import { parseMime } from '../mail/mime-parser.ts';
import { headerOf } from '../mail/mime-part.ts';
import { readMailParts } from '../mail/read-mail.ts';
import { decodeFile } from '../mail/transfer-encoding.ts';
import { type AttachmentProblem, type AttachmentRequest, matchingFile } from '../sdk/attachments.ts';
import { ProviderError } from '../sdk/provider-error.ts';
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
/** Bytes that are fetched for a file in an encoding, by its size: base64 and its line ends enlarge by 37 %, others by more. */
const ENCODED_FACTOR = 1.5;
const ENCODED = /base64|quoted-printable|uu/i;
const QUOTED = /quoted-printable/i;
/** Pieces of a file that are fetched: servers send less at a time than asked for, e.g. 64 KB. */
const MAX_PIECES = 10_000;
const EMPTY = Buffer.alloc(0);

const cutOffError = () =>
  new ProviderError(
    'malformed',
    'The mail server sent only a part of this file. Try again, or save it in your mail program instead.',
  );

/**
 * Reads a file from the source of its message, whose files have the order of the record.
 * @param isWhole whether the source has the size that the server says, which may be wrong
 * @returns undefined if the source may end before the file does
 */
function fileOfSource(source: Buffer, isWhole: boolean, request: FileRequest): FileContent | undefined {
  const files = readMailParts(parseMime(source), BODY_LIMIT).files.map(({ part, file }) => ({
    ...file,
    part,
  }));
  const found = matchingFile(files, request);
  if (!found) return isWhole ? 'attachment-gone' : undefined;
  const { part } = found;
  if (part.isOpen && !isWhole) return undefined;
  return limited(Buffer.from(part.readFile?.() ?? part.read()), request);
}

function limited(bytes: Buffer, { maxBytes }: FileRequest): FileContent {
  return bytes.length > maxBytes ? 'too-large' : transferable(bytes);
}

/** What is fetched in pieces. */
interface PieceRequest {
  uid: number;
  /** Default: the whole source. */
  part?: string;
  /** Size that the server says, 0 if it says none. */
  size: number;
  /** Largest size to fetch. */
  limit: number;
}

/**
 * Fetches a part, or the whole source, in pieces, up to the size that the server says or an empty piece. A server that sends
 * more than asked for is cut off by each command's limit.
 * @returns the bytes, and whether they have the size that the server says; undefined beyond the limit
 */
async function fetchInPieces(
  imap: BoundedImap,
  { uid, part, size, limit }: PieceRequest,
): Promise<{ bytes: Buffer; isWhole: boolean } | 'record-gone' | undefined> {
  const pieces: Buffer[] = [];
  const maxLength = FILE_PIECE_BYTES;
  for (let start = 0; start <= limit && size <= limit; ) {
    const range = { start, maxLength };
    const items =
      part === undefined ? { uid: true, source: range } : { uid: true, bodyParts: [{ key: part, ...range }] };
    const { messages, refusal } = await fetchByUid(imap, [uid], { items, bytes: bytesFor(maxLength) });
    const message = messages.get(uid);
    if (!message && refusal) throw refusal;
    if (!message) return 'record-gone';
    // NIL, or an empty text, after the end.
    const piece = (part === undefined ? message.source : message.bodyParts?.get(part)) || EMPTY;
    // The server ignores which piece was asked for.
    if (piece.length > maxLength || pieces.length === MAX_PIECES) throw cutOffError();
    pieces.push(piece);
    start += piece.length;
    const isEnd = piece.length === 0 || (piece.length < maxLength && size > 0 && start >= size);
    if (isEnd) return { bytes: Buffer.concat(pieces), isWhole: start >= size };
  }
  return undefined;
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
 * Fetches a part that is a file. @returns too-large only for a file that is: quoted-printable may enlarge a smaller one
 * @throws ProviderError if the server sends less of it than it says
 */
async function readPart(
  imap: BoundedImap,
  request: FileRequest,
  { part, encoding, node }: Pick<StructuredFile, 'node'> & { part: string; encoding: string },
): Promise<FileContent> {
  const { uid, maxBytes } = request;
  const limit = ENCODED.test(encoding) ? ENCODED_FACTOR * maxBytes : maxBytes;
  const fetched = await fetchInPieces(imap, { uid, part, size: node.size ?? 0, limit });
  if (!fetched) return QUOTED.test(encoding) ? 'mail-too-large' : 'too-large';
  if (fetched === 'record-gone') return fetched;
  if (!fetched.isWhole) throw cutOffError();
  return limited(decodeFile(fetched.bytes, encoding), request);
}

/**
 * Fetches a file: of a small message from its source, of a large one by its part, as the record was read. A file that the
 * server's structure does not have, e.g. because the server takes it for a text, is read from the whole source.
 * @throws ProviderError if the server sends a part of it alone; imapflow's errors
 */
export async function readFile(imap: BoundedImap, request: FileRequest): Promise<FileContent> {
  const { uid, maxBytes } = request;
  const { messages, refusal } = await fetchByUid(imap, [uid], START);
  const message = messages.get(uid);
  if (!message && refusal) throw refusal;
  if (!message) return 'record-gone';
  const { size = 0 } = message;
  const start = message.source || EMPTY;
  if (start.length < SMALL_BYTES) {
    // No message is empty.
    const file = fileOfSource(start, start.length >= Math.max(1, size), request);
    if (file) return file;
  }
  const found = await findPart(imap, message, request);
  if (found) return readPart(imap, request, found);
  const source = await fetchInPieces(imap, { uid, size, limit: ENCODED_FACTOR * maxBytes });
  if (!source) return 'mail-too-large';
  if (source === 'record-gone') return source;
  const file = fileOfSource(source.bytes, source.isWhole && source.bytes.length > 0, request);
  if (!file) throw cutOffError();
  return file;
}
