const LF = 0x0a;
const CR = 0x0d;
/** Longest value of a header, bytes; enough for some thousand addresses. The rest is left out. */
const MAX_VALUE_BYTES = 64 * 1024;
/** Largest number of headers of a mail or part that are read. */
const MAX_FIELDS = 10_000;
const FIELD = /^([!-9;-~]{1,1000})[ \t]{0,99}:/;
/** The first line of an mbox. */
const MBOX = /^>?From /;

/** A header as written: one character per byte, unfolded. */
export interface Field {
  name: string;
  value: string;
}

/** The header of a mail or part, and where its body begins. */
export interface Head {
  fields: Field[];
  bodyStart: number;
}

/** Returns a line from `start`, one character per byte, without its end and what is too long to be read. */
export function lineAt(source: Buffer, start: number): { line: string; next: number } {
  const found = source.indexOf(LF, start);
  const next = found < 0 ? source.length : found + 1;
  let end = found < 0 ? source.length : found;
  while (end > start && source[end - 1] === CR) end--;
  return { line: source.toString('latin1', start, Math.min(end, start + MAX_VALUE_BYTES)), next };
}

/** A field whose lines are not joined yet. */
interface FieldLines {
  name: string;
  pieces: string[];
  length: number;
}

const unfolded = ({ pieces }: FieldLines) => pieces.join('').trim();

/** Collects the fields of a header. */
class FieldReader {
  readonly #found: FieldLines[] = [];
  #type: FieldLines | undefined;

  get fields(): Field[] {
    return this.#found.map((field) => ({ name: field.name, value: unfolded(field) }));
  }

  /** The first Content-Type so far. */
  get contentType(): string | undefined {
    return this.#type && unfolded(this.#type);
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** Adds a line. @returns whether it is a header or continues one */
  add(line: string): boolean {
    const last = this.#found.at(-1);
    if (last && (line[0] === ' ' || line[0] === '\t')) {
      last.pieces.push(line.slice(0, Math.max(0, MAX_VALUE_BYTES - last.length)));
      last.length += line.length;
      return true;
    }
    const [start, name] = FIELD.exec(line) ?? [];
    if (start === undefined || name === undefined) return false;
    if (this.#found.length >= MAX_FIELDS) return true;
    const pieces = [line.slice(start.length)];
    const field = { name, pieces, length: line.length };
    this.#found.push(field);
    if (/^content-type$/i.test(name)) this.#type ??= field;
    return true;
  }
}

/**
 * Reads the header that begins at `start`. A line that is no header is skipped if a header or an empty line follows; where
 * text follows, the body begins with it, as it does at a delimiter.
 */
export function readHead(
  source: Buffer,
  start: number,
  isDelimiter: (line: string, readContentType: () => string | undefined) => boolean,
): Head {
  const reader = new FieldReader();
  const readContentType = () => reader.contentType;
  const endAt = (bodyStart: number): Head => ({ fields: reader.fields, bodyStart });
  /** Start of a line that is no header. */
  let gap = -1;
  let isAfterBlank = false;
  for (let at = start; at < source.length; ) {
    const { line, next } = lineAt(source, at);
    if (line === '') return endAt(gap >= 0 && reader.isEmpty ? gap : next);
    if (line.startsWith('--') && isDelimiter(line, readContentType)) return endAt(gap >= 0 ? gap : at);
    if (reader.add(line)) {
      // A line of blanks before text is meant to be empty.
      isAfterBlank = line.trim() === '';
      if (!isAfterBlank && line[0] !== ' ' && line[0] !== '\t') gap = -1;
    } else if (!MBOX.test(line)) {
      if (gap >= 0 || isAfterBlank) return endAt(gap >= 0 ? gap : at);
      gap = at;
    }
    at = next;
  }
  return endAt(gap >= 0 ? gap : source.length);
}
