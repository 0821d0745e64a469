import { csvPieces } from './csv.ts';
import { jsonPieces, weigh } from './json-pieces.ts';
import type { OutputFormat } from './protocol.ts';
import { ResultList } from './result-list.ts';
import { type PrintFormat, printLines } from './row-prints.ts';

/** Approximate size of a chunk, UTF-16 units. */
const CHUNK_SIZE = 256 * 1024;
/** Longest value written in one piece, UTF-16 units. */
const MAX_INLINE_TEXT = 64 * 1024;

/** Thrown when the text of a result exceeds its limit. */
export class TooMuchTextError extends Error {}

function* listPieces(items: Iterable<unknown>): Generator<string> {
  yield '[';
  let separator = '\n';
  for (const item of items) {
    yield separator;
    separator = ',\n';
    yield* jsonPieces(item ?? null);
  }
  yield '\n]\n';
}

function* linePieces(items: Iterable<unknown>): Generator<string> {
  for (const item of items) {
    yield* jsonPieces(item ?? null);
    yield '\n';
  }
}

function pieces(value: unknown, format: OutputFormat | PrintFormat): Generator<string> {
  const isList = Array.isArray(value) || value instanceof ResultList;
  const items: Iterable<unknown> = isList ? value : value === undefined ? [] : [value];
  if (typeof format === 'object') return printLines(items, format);
  if (format === 'csv' || format === 'exact-csv') return csvPieces(items, format === 'exact-csv');
  if (format === 'ndjson') return linePieces(items);
  return isList ? listPieces(items) : onePiece(value);
}

function* onePiece(value: unknown): Generator<string> {
  // Indent small objects for readability.
  if (weigh(value ?? null, MAX_INLINE_TEXT, 64) <= MAX_INLINE_TEXT)
    yield JSON.stringify(value ?? null, null, 2);
  else yield* jsonPieces(value);
  yield '\n';
}

/**
 * Yields the text of a result in chunks of about 256 KB.
 * @param maxBytes bytes of all chunks
 * @throws TooMuchTextError before the chunk that would exceed the limit
 */
export function* outputChunks(
  value: unknown,
  format: OutputFormat | PrintFormat,
  maxBytes: number,
): Generator<string> {
  let bytesLeft = maxBytes;
  let chunk: string[] = [];
  let size = 0;
  for (const piece of pieces(value, format)) {
    chunk.push(piece);
    size += piece.length;
    if (size > bytesLeft) break;
    if (size < CHUNK_SIZE) continue;
    const text = chunk.join('');
    bytesLeft -= Buffer.byteLength(text);
    chunk = [];
    size = 0;
    if (bytesLeft < 0) break;
    yield text;
  }
  const rest = chunk.join('');
  if (bytesLeft < Buffer.byteLength(rest))
    throw new TooMuchTextError(`The result is longer than ${Math.round(maxBytes / 1024 / 1024)} MB.`);
  yield rest;
}
