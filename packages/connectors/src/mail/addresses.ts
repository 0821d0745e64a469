import { storable } from '../sdk/storable.ts';
import { decodeWords } from './words.ts';

/** Longest part of a header that is parsed, UTF-16 units; enough for some thousand addresses. */
const MAX_HEADER_LENGTH = 64 * 1024;
const MAX_ADDRESSES = 1000;
/** RFC 2047 allows 75 characters; some mail programs write longer words. */
const ENCODED_WORD = /=\?[^?\s]{1,60}\?[bBqQ]\?[^?\s]{0,1000}\?=/y;
const SPACE = ' \t\r\n';
const SPECIAL = `${SPACE}"(<,;:`;

export interface MailAddress {
  name: string;
  address: string;
}

/** A sequence of characters without unquoted space. */
interface Word {
  /** Decoded text, without quotes and escapes. */
  text: string;
  /** Text as written in the header. */
  raw: string;
  /** Index of the last unquoted `@` in `raw`, else -1. */
  at: number;
  /** Whether the next characters belong to this word in spite of a space between them. */
  isOpen: boolean;
}

/** Returns the domain of an address in lower case, or an empty text if it has none. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0 ? '' : address.slice(at + 1).toLowerCase();
}

/**
 * Parses an address header (RFC 5322, tolerantly) in one pass. Flattens groups; keeps entries without an address as names.
 * Keeps the quotes of a local part, which belong to the address: `"a@b"@example.org`.
 */
export function parseAddresses(header: string | undefined): MailAddress[] {
  return header === undefined ? [] : new AddressReader(header.slice(0, MAX_HEADER_LENGTH)).read();
}

class AddressReader {
  readonly #text: string;
  #at = 0;
  readonly #found: MailAddress[] = [];
  #words: Word[] = [];
  #comments: string[] = [];
  #angle: string | undefined;
  /** Whether the next characters belong to the last word. */
  #isJoined = false;
  /** Whether a closing quote may still follow. One failed search is enough for the rest of the text. */
  #mayClose = true;

  constructor(text: string) {
    this.#text = text;
  }

  read(): MailAddress[] {
    while (this.#at < this.#text.length && this.#found.length < MAX_ADDRESSES) this.#step();
    if (this.#found.length < MAX_ADDRESSES) this.#flush();
    return this.#found;
  }

  #step(): void {
    const char = this.#text[this.#at] as string;
    if (SPACE.includes(char)) {
      this.#at++;
      this.#isJoined = false;
    } else if (char === '"') this.#readQuoted();
    else if (char === '(') this.#comments.push(this.#readComment());
    else if (char === '<') this.#readAngle();
    else if (char === ',' || char === ';') {
      this.#at++;
      this.#flush();
    } else if (char === ':') {
      this.#at++;
      // The words before the colon are a group name; the members follow.
      if (this.#angle === undefined) this.#reset();
    } else this.#readAtom();
  }

  #readAtom(): void {
    ENCODED_WORD.lastIndex = this.#at;
    const word = ENCODED_WORD.exec(this.#text)?.[0];
    let end = this.#at + (word?.length ?? 1);
    if (word === undefined)
      while (end < this.#text.length && !SPECIAL.includes(this.#text[end] as string)) end++;
    const raw = this.#text.slice(this.#at, end);
    this.#at = end;
    this.#add({ text: raw, raw, at: word === undefined ? raw.lastIndexOf('@') : -1 });
  }

  /** Reads a quoted string; a quote that is never closed is an ordinary character. */
  #readQuoted(): void {
    const start = this.#at;
    const pieces: string[] = [];
    let from = start + 1;
    for (let at = from; this.#mayClose && at < this.#text.length; at++) {
      const char = this.#text[at];
      if (char === '\\') {
        pieces.push(this.#text.slice(from, at));
        from = ++at;
      } else if (char === '"') {
        pieces.push(this.#text.slice(from, at));
        this.#at = at + 1;
        this.#add({ text: pieces.join(''), raw: this.#text.slice(start, this.#at), at: -1 });
        return;
      }
    }
    this.#mayClose = false;
    this.#at = start + 1;
    this.#add({ text: '', raw: '', at: -1 });
  }

  /** Reads a comment, which may be nested; an unclosed comment extends to the end. */
  #readComment(): string {
    const start = ++this.#at;
    for (let depth = 1; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at];
      if (char === '\\') this.#at++;
      else if (char === '(') depth++;
      else if (char === ')' && --depth === 0) return this.#text.slice(start, this.#at++);
    }
    return this.#text.slice(start);
  }

  /** Reads `<address>`; without `>` it ends at a comma or the end of the text. */
  #readAngle(): void {
    const pieces: string[] = [];
    this.#at++;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] as string;
      if (char === '>' || char === '<' || (char === ',' && pieces[0] !== '@')) break;
      const start = this.#at++;
      if (char === '"') {
        while (this.#at < this.#text.length && this.#text[this.#at] !== '"')
          this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
        this.#at++;
        pieces.push(this.#text.slice(start, this.#at));
      } else if (char === '(') {
        this.#at = start;
        this.#readComment();
      } else if (!SPACE.includes(char)) pieces.push(char);
    }
    if (this.#text[this.#at] === '>') this.#at++;
    const inside = pieces.join('');
    // An obsolete source route: <@relay,@relay:user@host>
    const address = inside.startsWith('@') ? inside.slice(inside.lastIndexOf(':') + 1) : inside;
    if (this.#angle === undefined) this.#angle = address;
    else this.#add({ text: address, raw: address, at: -1 });
    this.#isJoined = false;
  }

  /** Appends to the last word or starts a new one. Ignores space around an `@` and around the dots of a domain. */
  #add({ text, raw, at }: Omit<Word, 'isOpen'>): void {
    const last = this.#words.at(-1);
    const isDomain = last !== undefined && last.at >= 0 && raw.startsWith('.');
    const isJoined = this.#isJoined || raw.startsWith('@') || isDomain || last?.isOpen;
    this.#isJoined = true;
    const isOpen = raw.endsWith('@') || (isDomain && raw === '.');
    if (!last || !isJoined) {
      this.#words.push({ text, raw, at, isOpen });
      return;
    }
    if (at >= 0) last.at = last.raw.length + at;
    last.text += text;
    last.raw += raw;
    last.isOpen = isOpen;
  }

  #flush(): void {
    let address = this.#angle;
    if (address === undefined) {
      const index = this.#words.findIndex(({ at, raw }) => at > 0 && at < raw.length - 1);
      address = index < 0 ? '' : (this.#words.splice(index, 1)[0]?.raw ?? '');
    }
    const words = this.#words.map(({ text }) => text).join(' ');
    let name = decodeWords(words.trim() || this.#comments.join(' ')).trim();
    if (name === '' && !address.includes('@')) [name, address] = [address, ''];
    if (name !== '' || address !== '') this.#found.push({ name: storable(name), address: storable(address) });
    this.#reset();
  }

  #reset(): void {
    this.#words = [];
    this.#comments = [];
    this.#angle = undefined;
    this.#isJoined = false;
  }
}
