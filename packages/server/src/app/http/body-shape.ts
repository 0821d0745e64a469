/** Limits of a body. The largest valid request has 50 settings, or 10 parameters with three members each. */
const MAX_VALUES = 1000;
const MAX_DEPTH = 32;

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
 * Returns whether a JSON text has more values, or deeper ones, than any valid request. Scans each character once and
 * stops at the limit, because parsing and validating such a body takes seconds. Does not check the syntax.
 */
export function exceedsLimits(json: string): boolean {
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
    if (values > MAX_VALUES || depth > MAX_DEPTH) return true;
    index++;
  }
  return false;
}
