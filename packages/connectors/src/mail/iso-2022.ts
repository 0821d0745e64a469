/** Decodes charsets that change between character sets by escape sequences: ISO-2022-JP, -KR, -CN and HZ. */

const ESCAPE = 0x1b;
const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;
const LF = 0x0a;

/** A character set: the charset that has it with the high bit set, and the byte that precedes each character there. */
interface CharacterSet {
  charset: string;
  prefix?: number;
}

const SETS: Readonly<Record<string, CharacterSet | null>> = {
  '(B': null,
  '(J': null,
  '(H': null,
  '(I': { charset: 'euc-jp', prefix: 0x8e },
  '$@': { charset: 'euc-jp' },
  $B: { charset: 'euc-jp' },
  '$(@': { charset: 'euc-jp' },
  '$(B': { charset: 'euc-jp' },
  '$(D': { charset: 'euc-jp', prefix: 0x8f },
  $A: { charset: 'gb18030' },
  '$(A': { charset: 'gb18030' },
  '$(C': { charset: 'euc-kr' },
};

/** Sets that are used between SHIFT OUT and SHIFT IN. */
const SHIFTED: Readonly<Record<string, CharacterSet>> = {
  '$)C': { charset: 'euc-kr' },
  '$)A': { charset: 'gb18030' },
};

/** Returns whether bytes have escape sequences of ISO 2022. */
export function hasEscapes(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(ESCAPE); at >= 0; at = bytes.indexOf(ESCAPE, at + 1)) {
    const name = escapeAt(bytes, at);
    if (name in SETS || name in SHIFTED) return true;
  }
  return false;
}

/** Returns the name of the escape sequence at an offset: two or three characters. */
function escapeAt(bytes: Uint8Array, at: number): string {
  const text = String.fromCharCode(...bytes.subarray(at + 1, at + 4));
  const length = /^\$[()]/.test(text) ? 3 : 2;
  return text.slice(0, length);
}

/** Collects bytes by the charset that decodes them. */
class Segments {
  readonly #texts: string[] = [];
  #bytes: number[] = [];
  #charset = '';

  add(set: CharacterSet | null, byte: number): void {
    const charset = set?.charset ?? 'windows-1252';
    if (charset !== this.#charset) this.#flush(charset);
    this.#bytes.push(set ? byte | 0x80 : byte);
  }

  addPrefix(set: CharacterSet): void {
    if (set.prefix === undefined) return;
    if (set.charset !== this.#charset) this.#flush(set.charset);
    this.#bytes.push(set.prefix);
  }

  finish(): string {
    this.#flush('');
    return this.#texts.join('');
  }

  #flush(charset: string): void {
    if (this.#bytes.length > 0)
      this.#texts.push(new TextDecoder(this.#charset).decode(Uint8Array.from(this.#bytes)));
    this.#bytes = [];
    this.#charset = charset;
  }
}

/** Decodes a text with escape sequences. @param charset the declared charset; decides between shifts without escape */
export function decodeIso2022(bytes: Uint8Array, charset: string): string {
  const segments = new Segments();
  const usual = SHIFTED[charset.includes('cn') ? '$)A' : '$)C'] as CharacterSet;
  let [set, shifted]: [CharacterSet | null, CharacterSet] = [null, usual];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === ESCAPE) {
      const name = escapeAt(bytes, at);
      at += name.length;
      if (name in SETS) set = SETS[name] ?? null;
      else if (name in SHIFTED) shifted = SHIFTED[name] ?? usual;
      else at -= name.length;
    } else if (byte === SHIFT_OUT) set = shifted;
    else if (byte === SHIFT_IN) set = null;
    else if (set && byte > 0x20 && byte < 0x7f) {
      segments.addPrefix(set);
      segments.add(set, byte);
      if (set.prefix === 0x8e) continue;
      const next = bytes[at + 1] ?? 0;
      if (next <= 0x20 || next >= 0x7f) continue;
      segments.add(set, next);
      at++;
    } else {
      segments.add(null, byte);
      if (byte === LF && set === shifted) set = null;
    }
  }
  return segments.finish();
}

/** Decodes HZ (RFC 1843): `~{` and `~}` enclose Chinese characters up to the end of the line, `~~` is a tilde. */
export function decodeHz(bytes: Uint8Array): string {
  const segments = new Segments();
  let set: CharacterSet | null = null;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const pair = String.fromCharCode(byte, bytes[at + 1] ?? 0);
    if (byte === LF) set = null;
    if (pair === '~{' || pair === '~}') set = pair === '~{' ? { charset: 'gb18030' } : null;
    else segments.add(byte > 0x20 && byte < 0x7f ? set : null, byte);
    if (pair === '~{' || pair === '~}' || pair === '~~') at++;
  }
  return segments.finish();
}
