import libmime from 'libmime';
import { decodeText } from './charset.ts';
import { type RawParameter, splitParameters } from './split-parameters.ts';

/** A structured header value: `text/plain; charset=utf-8`. The value is in lower case. */
export interface ParameterisedValue {
  value: string;
  parameters: Map<string, string>;
}

/** A parameter of RFC 2231, or a piece of one: `name*2*` is piece 2, percent-encoded. */
interface Piece {
  /** -1 for a parameter that is not split. */
  index: number;
  text: string;
  isEncoded: boolean;
}

/**
 * Parses a value with its parameters. Of several forms of a parameter the best is used (RFC 2231, RFC 6266): `name*`,
 * then the pieces `name*0`, `name*1`, then the plain `name`.
 */
export function readParameters(text: string | undefined): ParameterisedValue {
  const { value, parameters } = splitParameters(text ?? '');
  const pieces = new Map<string, Piece[]>();
  for (const parameter of parameters) addPiece(pieces, parameter);
  return {
    // A comment may follow the type.
    value: value.split('(', 1)[0]?.trim().toLowerCase() ?? '',
    parameters: new Map(
      [...pieces].map(([name, list]) => [name, withoutComment(name, assemble(list))] as const),
    ),
  };
}

/** Removes a comment after a value that is not the name of a file. */
function withoutComment(name: string, value: string): string {
  return name.endsWith('name') ? value : value.replace(/ \([^()]{0,200}\)$/, '');
}

function addPiece(pieces: Map<string, Piece[]>, { name, value }: RawParameter): void {
  const [, base = '', index, star] = /^([^*]+)(?:\*(\d{1,4}))?(\*)?$/.exec(name) ?? [];
  if (base === '') return;
  const piece = {
    index: index === undefined ? -1 : Number(index),
    text: value,
    isEncoded: star !== undefined,
  };
  const list = pieces.get(base);
  if (list) list.push(piece);
  else pieces.set(base, [piece]);
}

function assemble(list: readonly Piece[]): string {
  const whole = list.find((piece) => piece.index < 0 && piece.isEncoded);
  if (whole) return decodePieces([whole]);
  const cut = inOrder(list);
  if (cut.length > 0) return cut.some((piece) => piece.isEncoded) ? decodePieces(cut) : joinPlain(cut);
  return joinPlain(list.slice(0, 1));
}

/** Returns the pieces in numeric order, up to the first gap. */
function inOrder(list: readonly Piece[]): Piece[] {
  const ordered = list.filter((piece) => piece.index >= 0).sort((one, other) => one.index - other.index);
  const first = ordered[0]?.index ?? 0;
  const unique = ordered.filter((piece, at) => piece.index !== ordered[at - 1]?.index);
  return unique.filter((piece, at) => piece.index === first + at);
}

function joinPlain(pieces: readonly Piece[]): string {
  return libmime.decodeWords(pieces.map((piece) => piece.text).join(''));
}

/** Decodes encoded pieces. The first starts with `charset'language'`; characters may be split between pieces. */
function decodePieces(pieces: readonly Piece[]): string {
  const [prefix, charset] = /^([^']*)'[^']*'/.exec(pieces[0]?.text ?? '') ?? [''];
  const bytes = pieces.map((piece, at) => {
    const text = at === 0 ? piece.text.slice(prefix.length) : piece.text;
    return piece.isEncoded ? percentBytes(text) : Buffer.from(text, 'utf8');
  });
  return decodeText(Buffer.concat(bytes), charset);
}

const PERCENT = 0x25;

function percentBytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const hex = bytes[at] === PERCENT ? bytes.toString('latin1', at + 1, at + 3) : '';
    const isEscape = /^[0-9A-Fa-f]{2}$/.test(hex);
    bytes[length++] = isEscape ? Number.parseInt(hex, 16) : (bytes[at] ?? 0);
    if (isEscape) at += 2;
  }
  return bytes.subarray(0, length);
}
