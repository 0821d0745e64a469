/** A parameter as written; the name is in lower case, the value without quotes. */
export interface RawParameter {
  name: string;
  value: string;
}

/** Maximum number of parameters that are read from a header. */
const MAX_PARAMETERS = 1000;

/** Splits `value; name=text; other="quoted; text"` in one pass. Ignores text without `=`. */
export function splitParameters(text: string): { value: string; parameters: RawParameter[] } {
  const end = endOfValue(text);
  const parameters: RawParameter[] = [];
  for (let at = end + 1; at < text.length && parameters.length < MAX_PARAMETERS; ) {
    const stop = endOf(text, at);
    const key = text.slice(at, stop).split('=', 1)[0] ?? '';
    if (key.length === stop - at) {
      at = stop + 1;
      continue;
    }
    const name = key.trim().split(/\s+/).at(-1)?.toLowerCase() ?? '';
    const start = afterSpace(text, at + key.length + 1);
    const { value, next } =
      text[start] === '"' ? quoted(text, start) : { value: text.slice(start, stop).trim(), next: stop };
    if (name !== '') parameters.push({ name, value });
    at = nextParameter(text, next);
  }
  return { value: text.slice(0, end), parameters };
}

/** Returns the end of the value before the parameters; a sender may forget the semicolon. */
function endOfValue(text: string): number {
  const end = endOf(text, 0);
  const equals = text.indexOf('=');
  const space = equals < 0 || equals > end ? -1 : text.slice(0, equals).search(/[ \t]/);
  return space > 0 ? space : end;
}

function endOf(text: string, from: number): number {
  const at = text.indexOf(';', from);
  return at < 0 ? text.length : at;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? '')) at += 1;
  return at;
}

/** Returns the start of the next parameter: after `;`, or right here if the sender forgot it. */
function nextParameter(text: string, from: number): number {
  const at = afterSpace(text, from);
  return text[at] === ';' ? at + 1 : at;
}

/** Reads a quoted text; an unclosed one ends with the header. */
function quoted(text: string, start: number): { value: string; next: number } {
  const pieces: string[] = [];
  let from = start + 1;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') return { value: pieces.join('') + text.slice(from, at), next: at + 1 };
    if (character !== '\\' || !/["\\]/.test(text[at + 1] ?? '')) continue;
    pieces.push(text.slice(from, at));
    from = at + 1;
    at += 1;
  }
  return { value: pieces.join('') + text.slice(from), next: text.length };
}
