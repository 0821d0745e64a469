import { decodeText } from './charset.ts';
import { decodeWords } from './encoded-word.ts';

/** A structured header value: `text/plain; charset=utf-8`. The value is in lower case. */
export interface ParameterisedValue {
  value: string;
  parameters: Map<string, string>;
}

/** Reads a value with parameters, with continuations and charsets of RFC 2231 and the commoner abuses. */
export function readParameters(text: string | undefined): ParameterisedValue {
  const [value = '', rest = ''] = splitOnce(text ?? '', ';');
  const pieces = new Map<string, { index: number; text: string; extended: boolean }[]>();
  for (const match of rest.matchAll(/([^\s=;]+?)\s*=\s*(?:"((?:\\.|[^"\\])*)"?|([^;]*))/g)) {
    const [, key = '', quoted, bare] = match;
    const [, name = '', index, star] = /^(.+?)(?:\*(\d+))?(\*)?$/.exec(key.toLowerCase()) ?? [];
    const raw = quoted === undefined ? (bare ?? '').trim() : quoted.replace(/\\(["\\])/g, '$1');
    const list = pieces.get(name) ?? [];
    list.push({ index: Number(index ?? 0), text: raw, extended: star !== undefined });
    pieces.set(name, list);
  }
  const parameters = new Map([...pieces].map(([name, list]) => [name, assemble(list)] as const));
  return { value: value.trim().toLowerCase(), parameters };
}

function assemble(list: { index: number; text: string; extended: boolean }[]): string {
  const ordered = list.sort((one, other) => one.index - other.index);
  if (!ordered.some((piece) => piece.extended))
    return decodeWords(ordered.map((piece) => piece.text).join(''));
  const [, charset] = /^([^']*)'[^']*'/.exec(ordered[0]?.text ?? '') ?? [];
  const bytes = ordered.map((piece, index) => {
    const text = index === 0 && charset !== undefined ? piece.text.replace(/^[^']*'[^']*'/, '') : piece.text;
    return piece.extended ? percentBytes(text) : Buffer.from(text, 'utf8');
  });
  return decodeText(Buffer.concat(bytes), charset);
}

function percentBytes(text: string): Buffer {
  const latin = text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(latin, 'latin1');
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
