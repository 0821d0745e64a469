import { readSync } from 'node:fs';

/** Bytes of a file that are read at once. */
const CHUNK = 256 * 1024;

/** Where a result lies: the descriptor of a file with one line of JSON per item, and the size of the lines, bytes. */
export interface LinesFile {
  descriptor: number;
  bytes: number;
}

/** Yields the lines of a file. It reads synchronously, so it is for threads. @throws Error if the file is too short */
export function* linesOf({ descriptor, bytes }: LinesFile): Generator<string> {
  let rest: Buffer[] = [];
  for (let at = 0; at < bytes; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, bytes - at));
    const length = readSync(descriptor, chunk, 0, chunk.length, at);
    if (length === 0) throw new Error('the file of a result is too short');
    at += length;
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0 && end < length; end = chunk.indexOf(10, from)) {
      yield rest.length === 0
        ? chunk.toString('utf8', from, end)
        : Buffer.concat([...rest, chunk.subarray(from, end)]).toString();
      rest = [];
      from = end + 1;
    }
    rest.push(chunk.subarray(from, length));
  }
}
