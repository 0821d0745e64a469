import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/** Charsets that mail means otherwise than the Encoding Standard, or that it does not know. */
const ALIASES: Record<string, string> = {
  'us-ascii': 'windows-1252',
  ascii: 'windows-1252',
  'ansi_x3.4-1968': 'windows-1252',
  'ks_c_5601-1987': 'euc-kr',
  gb2312: 'gb18030',
  'unicode-1-1-utf-8': 'utf-8',
  utf8mb4: 'utf-8',
  'iso-8859-8-i': 'iso-8859-8',
  cp932: 'shift_jis',
  cp936: 'gb18030',
  cp949: 'euc-kr',
};

/** Charsets whose bytes are hardly valid UTF-8 by chance. */
const SINGLE_BYTE = /^(iso-8859|windows-12)/;

const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;

const utf8Strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Decodes bytes in a charset as named in mail. For an unknown, missing or clearly wrong charset, it uses UTF-8 if the
 * bytes are valid UTF-8, or else windows-1252, so that the result is always readable.
 */
export function decodeText(bytes: Uint8Array, charset: string | undefined): string {
  const name = (charset ?? '')
    .trim()
    .toLowerCase()
    .replace(/^["']|["']$/g, '');
  if (name === '' || name === 'us-ascii' || name === 'ascii' || name === 'unknown-8bit' || name === '8bit')
    return guess(bytes);
  if (name === 'utf-7' || name === 'unicode-1-1-utf-7') return decodeUtf7(bytes);
  if (name === 'utf-8' || name === 'utf8') return guess(bytes);
  if (name === 'iso-2022-kr') return decodeShifted(bytes);
  if (name === 'utf-16') return new TextDecoder(bytes[0] === 0xfe ? 'utf-16be' : 'utf-16le').decode(bytes);
  if (SINGLE_BYTE.test(name) && isUtf8(bytes)) return utf8Strict.decode(bytes);
  try {
    return new TextDecoder(ALIASES[name] ?? name).decode(bytes);
  } catch {
    // "cp-850" is the code page 850.
    const known = [name, name.replace(/^(cp|ibm|dos|x)-/, 'cp')].find((one) => iconv.encodingExists(one));
    return known === undefined ? guess(bytes) : iconv.decode(bytes, known);
  }
}

/** Decodes ISO-2022-KR (RFC 1557): the bytes between SO and SI are those of EUC-KR without the highest bit. */
function decodeShifted(bytes: Uint8Array): string {
  let isShifted = false;
  const korean = Buffer.from(bytes).map((byte) => {
    if (byte === SHIFT_OUT || byte === SHIFT_IN) isShifted = byte === SHIFT_OUT;
    return isShifted && byte > 0x20 && byte < 0x7f ? byte | 0x80 : byte;
  });
  const text = new TextDecoder('euc-kr').decode(korean);
  return text.replaceAll(/\p{Cc}(\$\)C)?/gu, (found) => (/^[\t\r\n]/.test(found) ? found : ''));
}

function guess(bytes: Uint8Array): string {
  try {
    return utf8Strict.decode(bytes);
  } catch {
    return looksLikeUtf8(bytes)
      ? new TextDecoder('utf-8').decode(bytes)
      : new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Returns whether the bytes are mostly valid UTF-8 with a few damaged bytes, as in a truncated text. */
function looksLikeUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(bytes);
  const damaged = text.split('\uFFFD').length - 1;
  const beyondAscii = [...text.slice(0, 20_000)].filter((character) => character > '\u007F').length;
  return damaged * 4 < beyondAscii;
}

function decodeUtf7(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1');
  return text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_, packed: string) => {
    if (packed === '') return '+';
    const units = Buffer.from(packed, 'base64');
    return units
      .subarray(0, units.length & ~1)
      .swap16()
      .toString('utf16le');
  });
}
