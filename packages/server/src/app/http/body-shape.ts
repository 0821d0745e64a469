/** The largest request has 50 settings, or 10 parameters of three members each. */
const MOST_VALUES = 1000;
const DEEPEST = 32;

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

/** Returns the place behind a text that begins there; the end when it does not end. */
function endOfText(json: string, start: number): number {
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
 * Whether a JSON text holds more values, or deeper ones, than any request needs. To parse and to check such a body takes
 * seconds; this looks at each character once, and ends at the first value too many. Whether it is JSON at all is not checked.
 */
export function holdsTooMuch(json: string): boolean {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(json, at);
      continue;
    }
    if (code === COMMA) values++;
    else if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    if (values > MOST_VALUES || depth > DEEPEST) return true;
    at++;
  }
  return false;
}
