/** A parameter as it is written; the name in lower case, the value without its quotes. */
export interface RawParameter {
  name: string;
  value: string;
}

/** Most parameters that are read of a header. */
const MOST_PARAMETERS = 1000;

/** Splits `value; name=text; other="quoted; text"` in one pass. Text without `=` is passed over. */
export function splitParameters(text: string): { value: string; parameters: RawParameter[] } {
  const end = endOf(text, 0);
  const parameters: RawParameter[] = [];
  for (let at = end + 1; at < text.length && parameters.length < MOST_PARAMETERS; ) {
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

function endOf(text: string, from: number): number {
  const at = text.indexOf(';', from);
  return at < 0 ? text.length : at;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? '')) at += 1;
  return at;
}

/** Where the next parameter begins: behind `;`, or at once where a sender forgot it. */
function nextParameter(text: string, from: number): number {
  const at = afterSpace(text, from);
  return text[at] === ';' ? at + 1 : at;
}

/** Reads a quoted text; one that is not closed ends with the header. */
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
