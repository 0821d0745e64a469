const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

/** Returns the index after the string that starts at `start`; the end of the text if the string is not closed. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1) {
    let slashes = 0;
    while (json.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end + 1;
    end = json.indexOf('"', end + 1);
  }
  return json.length;
}

/**
 * Returns whether a JSON text has more values (commas and one) or deeper ones than allowed. Scans each character once and
 * stops at the limit, because parsing such a text takes seconds and much memory. Does not check the syntax.
 */
export function exceedsShape(json: string, most: { values: number; depth: number }): boolean {
  let values = 1;
  let depth = 0;
  for (let index = 0; index < json.length; ) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(json, index);
      continue;
    }
    if (code === COMMA) values++;
    else if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    if (values > most.values || depth > most.depth) return true;
    index++;
  }
  return false;
}
