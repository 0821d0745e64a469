import { BOUNDS } from '@datadeck/contract';
import type { DataSet } from './data-set.ts';
import { resultTooLong } from './evaluator.ts';
import { LINES_PER_OFFSET, MAX_LOADED_BYTES, type ResultFacts, type WrittenLines } from './protocol.ts';

const BLANK = 32;
const LINE_BREAK = 10;

/** Moves lines in place so that none begins with blanks, and finds where pages begin. */
class LineCopy {
  lines = 0;
  bytes = 0;
  /** Offsets as in `WrittenLines`. */
  readonly offsets = [0];
  #isAtStart = true;

  /** @returns the part of the chunk that holds its lines */
  add(chunk: Buffer): Buffer {
    let to = 0;
    for (let from = 0; from < chunk.length; ) {
      while (this.#isAtStart && chunk[from] === BLANK) from++;
      const found = chunk.indexOf(LINE_BREAK, from);
      const end = found < 0 ? chunk.length : found + 1;
      chunk.copyWithin(to, from, end);
      to += end - from;
      this.#isAtStart = found >= 0 || (this.#isAtStart && end === from);
      if (found >= 0 && ++this.lines % LINES_PER_OFFSET === 0) this.offsets.push(this.bytes + to);
      from = end;
    }
    this.bytes += to;
    return chunk.subarray(0, to);
  }
}

/**
 * Returns whether a chain of expressions changes nothing, and its rows are too large to load but not to download. Rows with a
 * filter are no copy, and several lists are none.
 */
export function isLargeCopy({ bytes = 0, filter, lists }: DataSet, chain: readonly string[]): boolean {
  if (bytes <= MAX_LOADED_BYTES || bytes > BOUNDS.downloadBytes || filter || lists) return false;
  return chain.every((expression) => ['', '$', '$$'].includes(expression.trim()));
}

/**
 * Writes rows as a result.
 * @param write stores a chunk of lines
 * @param ms longest duration of reading
 * @throws AppError query-too-complex for more than a download may have
 */
export async function copyRows(
  set: DataSet,
  write: (chunk: Buffer) => Promise<void>,
  ms: number,
): Promise<ResultFacts & WrittenLines> {
  const started = performance.now();
  const copy = new LineCopy();
  for await (const chunk of set.read(ms)) {
    await write(copy.add(chunk));
    if (copy.bytes > BOUNDS.downloadBytes) throw resultTooLong();
  }
  const { lines, bytes, offsets } = copy;
  if (offsets.at(-1) !== bytes) offsets.push(bytes);
  const elapsedMs = Math.round((performance.now() - started) * 10) / 10;
  return { count: lines, isArray: true, rows: lines, elapsedMs, lines, offsets };
}
