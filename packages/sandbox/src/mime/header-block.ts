import libmime from 'libmime';
import { decodeText } from './charset.ts';

/** A header in the Gmail API's form: the name as written, the value unfolded (keeping the folds' white space) and decoded. */
export interface Header {
  name: string;
  value: string;
}

/** The headers of a message or part, and the offset of its body. */
export interface HeaderBlock {
  headers: Header[];
  bodyStart: number;
}

const FIELD = /^([!-9;-~]+)[ \t]*:(.*)$/s;
const NEWLINE = 0x0a;

/**
 * Reads the header block at the start of `bytes`. Skips lines that are not headers (an mbox "From " line, garbage) if a
 * header follows; otherwise the body begins with them.
 */
export function readHeaders(bytes: Buffer): HeaderBlock {
  const fields: { name: string; parts: string[] }[] = [];
  let at = 0;
  let gap = -1;
  let isAfterBlank = false;
  while (at < bytes.length) {
    const end = lineEnd(bytes, at);
    const line = lineText(bytes.subarray(at, end));
    // Text before any header belongs to the body.
    if (line === '') return block(fields, gap >= 0 && fields.length === 0 ? gap : end);
    const field = FIELD.exec(line);
    const open = fields.at(-1);
    if (/^[ \t]/.test(line) && open) {
      open.parts.push(line);
      isAfterBlank = line.trim() === '';
      at = end;
      continue;
    }
    // A line of blanks before text is meant to be empty.
    if (isAfterBlank && !field && gap < 0) return block(fields, at);
    isAfterBlank = false;
    if (field) {
      fields.push({ name: field[1] ?? '', parts: [field[2] ?? ''] });
      gap = -1;
    } else if (isOwnBoundary(line, fields)) return block(fields, at);
    else if (gap >= 0 && !/^>?From /.test(line)) return block(fields, gap);
    else if (!/^>?From /.test(line)) gap = at;
    at = end;
  }
  return block(fields, gap >= 0 ? gap : bytes.length);
}

/** Returns whether a line is the boundary that the headers before it declare: there is no blank line between them. */
function isOwnBoundary(line: string, fields: readonly { name: string; parts: string[] }[]): boolean {
  const type = line.startsWith('--') ? fields.find(({ name }) => /^content-type$/i.test(name)) : undefined;
  const [, quoted, token] =
    /boundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(type?.parts.join('') ?? '') ?? [];
  return type !== undefined && line.trimEnd() === `--${quoted ?? token}`;
}

/** Returns the value of the first header with this name, ignoring case. */
export function headerValue(headers: readonly Header[], name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find((header) => header.name.toLowerCase() === wanted)?.value;
}

function block(fields: { name: string; parts: string[] }[], bodyStart: number): HeaderBlock {
  const headers = fields.map(({ name, parts }) => ({ name, value: libmime.decodeWords(unfold(parts)) }));
  return { headers, bodyStart };
}

/** Unfolds a value like Gmail: removes line ends but keeps the white space of the folds. */
function unfold(parts: readonly string[]): string {
  return parts.join('').trim();
}

function lineEnd(bytes: Buffer, from: number): number {
  const found = bytes.indexOf(NEWLINE, from);
  return found < 0 ? bytes.length : found + 1;
}

function lineText(line: Buffer): string {
  const text = decodeText(line, undefined);
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\r' || text[end - 1] === '\n')) end--;
  return text.slice(0, end);
}
