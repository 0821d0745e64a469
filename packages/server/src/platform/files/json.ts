import { Readable } from 'node:stream';

/** Returns NDJSON, in chunks that end anywhere, as one JSON array. Closing it closes the lines. */
export function jsonArray(lines: Readable): Readable {
  const array = Readable.from(arrayOf(lines), { objectMode: false, highWaterMark: 1 });
  return array.once('close', () => lines.destroy());
}

async function* arrayOf(lines: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  // What to write before the next text: the separator of the last line is one only if another line follows.
  let before = '[\n';
  for await (const chunk of lines) {
    // A line break is the same byte in every encoding of this kind, and latin1 needs no decoding.
    const text = Buffer.from(chunk as string).toString('latin1');
    const isLineEnd = text.endsWith('\n');
    const whole = isLineEnd ? text.slice(0, -1) : text;
    yield Buffer.from(before + whole.replaceAll('\n', ',\n'), 'latin1');
    before = isLineEnd ? ',\n' : '';
  }
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n');
}
