const STRICT = /^[A-Za-z0-9+/]+={0,2}$/;
/** Minimum length of a line that looks like part of a block, if it has no illegal characters. */
const MIN_BLOCK_LINE = 40;

/**
 * Decodes base64 (RFC 2045, 6.8) line by line. A block ends with its padding, a short or blank line, or other text; text
 * after it, such as a mailing list's footer, is ignored. Illegal characters in damaged lines are dropped.
 */
export function decodeBase64(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const blocks = blocksIn(text);
  const whole = blocks.length > 0 ? '' : text.replace(/\s+/g, '');
  if (STRICT.test(whole)) return Buffer.from(whole, 'base64');
  const decoded = Buffer.concat(blocks.map((block) => Buffer.from(block, 'base64')));
  // Words are not encoded in spite of the header.
  const isNoise = decoded.length === 0 || decoded.some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x1b));
  return isNoise && /\S \S/.test(text) ? bytes : decoded;
}

/** Returns the lines of the block, joined up to each padding: some senders encode piece by piece. */
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

/** Returns whether a line after the end of a block is its next piece, and not a word of a footer. */
function isContinuation(line: string): boolean {
  const isPiece = line.length >= MIN_BLOCK_LINE || line.endsWith('=');
  return isPiece && line.length % 4 === 0 && STRICT.test(line);
}

/** Returns whether a line with illegal characters is part of the block, and not text before or after it. */
function isDamaged(line: string, next: string | undefined, isInside: boolean): boolean {
  if (!isInside) return next === undefined || STRICT.test(next);
  return (
    line.length >= MIN_BLOCK_LINE && next !== undefined && next.length >= MIN_BLOCK_LINE && STRICT.test(next)
  );
}
