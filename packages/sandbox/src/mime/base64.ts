const STRICT = /^[A-Za-z0-9+/]+={0,2}$/;
/** A line that looks as if it were inside a block: long, and without illegal characters. */
const LONG_LINE = 40;

/**
 * Decodes base64 (RFC 2045, 6.8) line by line. The block ends with its padding, a short or blank line, or other text;
 * what follows, such as the footer of a mailing list, is left out. A damaged line inside loses its illegal characters.
 */
export function decodeBase64(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const blocks = blocksIn(text);
  const whole = blocks.length > 0 ? '' : text.replace(/\s+/g, '');
  if (STRICT.test(whole)) return Buffer.from(whole, 'base64');
  return Buffer.concat(blocks.map((block) => Buffer.from(block, 'base64')));
}

/** The lines of the block, joined up to each padding: some senders encode piece by piece. */
function blocksIn(text: string): string[] {
  const blocks: string[][] = [];
  let isEnded = false;
  let isPadded = true;
  let widest = 0;
  const lines = linesOf(text);
  for (const [at, { line, isBehindBlank }] of lines.entries()) {
    const isInside = blocks.length > 0;
    if (isInside && (isEnded || isBehindBlank) && !isContinuation(line)) break;
    const isStrict = STRICT.test(line);
    if (!isStrict && !isDamaged(line, lines[at + 1]?.line, isInside)) break;
    const clean = isStrict ? line : line.replace(/[^A-Za-z0-9+/=]/g, '');
    if (isPadded) blocks.push([]);
    blocks.at(-1)?.push(clean);
    isPadded = clean.endsWith('=');
    isEnded = isPadded || line.length < widest;
    widest = Math.max(widest, line.length);
  }
  return blocks.map((block) => block.join(''));
}

function linesOf(text: string): { line: string; isBehindBlank: boolean }[] {
  const lines: { line: string; isBehindBlank: boolean }[] = [];
  let isBehindBlank = false;
  for (const raw of text.split(/\r\n|\n|\r/)) {
    const line = raw.trim();
    if (line !== '') lines.push({ line, isBehindBlank });
    isBehindBlank = line === '';
  }
  return lines;
}

/** Whether a line behind the end of a block is the next piece of it, not a word of a footer. */
function isContinuation(line: string): boolean {
  const isPiece = line.length >= LONG_LINE || line.endsWith('=');
  return isPiece && line.length % 4 === 0 && STRICT.test(line);
}

/** Whether a line with illegal characters is part of the block, not text in front of it or behind it. */
function isDamaged(line: string, next: string | undefined, isInside: boolean): boolean {
  if (!isInside) return next === undefined || STRICT.test(next);
  return line.length >= LONG_LINE && next !== undefined && next.length >= LONG_LINE && STRICT.test(next);
}
