import { isAscii, isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import { decodeHz, decodeIso2022, hasEscapes } from './iso-2022.ts';

/** Names in mail that say nothing about the charset. */
const NO_CHARSET =
  /^(us-?ascii|ascii|ansi_x3\.(4|110)-19\d\d|iso-?646.*|x?-?unknown.*|8-?bit|7-?bit|binary|none|default.*|_?autodetect.*|_iso.*|mixed)?$/;
/** Codecs of iconv-lite that are no charsets of mail. */
const NO_MAIL_CHARSET = /^(utf-?8|cesu-?8|binary|base64|hex|ucs-?2)$/;
/** Charsets with characters of several bytes, which may be valid UTF-8 by chance. */
const MULTI_BYTE = /gb|hz|big-?5|euc|jis|ks_?c|korean|chinese|kanji|windows-(31j|949)|cp9(32|36|49|50)|ms9/;
/** A text that is hardly of another charset: characters of three bytes, or letters beside those of ASCII. */
const LIKELY_UTF8 = /[\u0800-\uffff]|[a-z][\u0080-\u07ff]|[\u0080-\u07ff][a-z]/i;
const UTF8_OR_BYTE =
  /((?:[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+)|([\x80-\xff])/g;
/** The beginning of a character at the end of a text that was cut off. */
const CUT_CHARACTER = /[\xc2-\xf4][\x80-\xbf]{0,2}$/;

/** Bytes of which the charset is detected. */
const DETECTED_BYTES = 4096;
/** Certainty from which a detected charset is used, percent. */
const MIN_CONFIDENCE = 20;
/** Charsets that are looked for; others of Latin letters look like windows-1252. */
const DETECTED = /^(UTF-8|GB18030|Big5|EUC-|Shift_JIS|KOI8|windows-125[1356]|ISO-8859-[5678])/;

const latin1 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
const utf8 = new TextDecoder('utf-8');
const windows1252 = new TextDecoder('windows-1252');

/** Returns the name of a charset as it is declared in mail, in lower case and without marks; empty if it says nothing. */
function nameOf(declared: string): string {
  const name = declared
    .slice(0, 100)
    .toLowerCase()
    .replace(/^.*charset\s*=/, '')
    .replaceAll(/["'<>\s]/g, '')
    .split(/[;,*]/, 1)[0] as string;
  if (NO_CHARSET.test(name)) return '';
  if (/^(cs|x-)?(unicode-?1-?1-?)?(utf|unicode)[-_]?8/.test(name)) return 'utf-8';
  return /utf-?7$/.test(name) ? 'utf-7' : name;
}

/** Returns a text in UTF-16 or UTF-32, by its mark at the beginning or by its declared charset. */
function decodeWide(bytes: Uint8Array, name: string): string | undefined {
  const isDeclared = /^(utf-?(16|32)|ucs-?[24]|unicode$|csunicode)/.test(name);
  const mark = latin1(bytes.subarray(0, 4));
  const isMarked = /^(\xff\xfe|\xfe\xff|\0\0\xfe\xff)/.test(mark);
  if (!isMarked && !(isDeclared && (bytes.includes(0) || !isUtf8(bytes)))) return undefined;
  if (/^(utf-?32|ucs-?4)/.test(name) || /^(\xff\xfe\0\0|\0\0\xfe\xff)/.test(mark))
    return iconv.decode(bytes, isMarked || /32$|4$/.test(name) ? 'utf-32' : name.replace('ucs-4', 'utf-32'));
  if (isMarked) return new TextDecoder(mark.startsWith('\xff') ? 'utf-16le' : 'utf-16be').decode(bytes);
  if (/[lb]e$/.test(name))
    return new TextDecoder(name.endsWith('be') ? 'utf-16be' : 'utf-16le').decode(bytes);
  return iconv.decode(bytes, 'utf-16', { defaultEncoding: 'utf16be' });
}

/** Decodes the charsets of seven bits that have other characters behind escape sequences. */
function decodeEscaped(bytes: Uint8Array, name: string): string | undefined {
  const isShifted = /^iso-?2022-(kr|cn)/.test(name) && bytes.includes(0x0e);
  if (isShifted || hasEscapes(bytes)) return decodeIso2022(bytes, name);
  if (/^hz/.test(name) && latin1(bytes).includes('~{')) return decodeHz(bytes);
  if (name !== 'utf-7') return undefined;
  return /\+[A-Za-z0-9+/]{2,}/.test(latin1(bytes)) ? iconv.decode(bytes, 'utf-7') : undefined;
}

/** Decodes bytes in a declared charset; undefined for an unknown one. */
function decodeAs(bytes: Uint8Array, name: string): string | undefined {
  if (name === '' || name === 'utf-8') return undefined;
  try {
    return new TextDecoder(name === 'gb2312' ? 'gb18030' : name).decode(bytes);
  } catch {
    const known = [name, name.replace(/^(x|cs|dos|ms|ibm)-?/, ''), name.replace(/^(x-?|dos-?|ms-?)?/, 'cp')];
    const codec = known.find((one) => !NO_MAIL_CHARSET.test(one) && iconv.encodingExists(one));
    return codec && iconv.decode(bytes, codec);
  }
}

/** Decodes what is UTF-8 as such and other bytes as windows-1252; undefined if more bytes are invalid than valid. */
function decodeMixed(bytes: Uint8Array): string | undefined {
  let [valid, invalid] = [0, 0];
  const text = latin1(bytes).replace(CUT_CHARACTER, (cut, at: number) => (isCutOff(bytes, at) ? '' : cut));
  const decoded = text.replaceAll(UTF8_OR_BYTE, (run: string, characters: string | undefined) => {
    const found = Buffer.from(run, 'latin1');
    if (characters === undefined) invalid++;
    else valid += found.length;
    return characters === undefined ? windows1252.decode(found) : utf8.decode(found);
  });
  return valid >= invalid ? decoded : undefined;
}

/** Returns whether the character at the end is the only one that is not UTF-8. */
function isCutOff(bytes: Uint8Array, at: number): boolean {
  const before = bytes.subarray(0, at);
  return !isAscii(before) && isUtf8(before);
}

/** Returns the share of U+FFFD among the characters that are not ASCII. */
function damageOf(text: string): number {
  const others = text.match(/[^\0-\x7f]/gu) ?? [];
  return others.filter((character) => character === '\ufffd').length / Math.max(1, others.length);
}

/** Returns the text in a charset that the bytes look like, where most of their letters are not ASCII. */
function detect(bytes: Uint8Array): string | undefined {
  const start = bytes.subarray(0, DETECTED_BYTES);
  const text = latin1(start);
  const high = text.match(/[\x80-\xff]/g)?.length ?? 0;
  const letters = text.match(/[a-z]/gi)?.length ?? 0;
  if (high <= letters) return undefined;
  for (const { name, confidence } of analyse(start)) {
    if (confidence < MIN_CONFIDENCE || !DETECTED.test(name)) continue;
    const found = decodeAs(bytes, name.toLowerCase());
    if (found !== undefined && damageOf(found) < 0.05) return found;
  }
  return undefined;
}

/** The charset that a mail declares for bytes, and whether the provider may have converted them to UTF-8. */
export interface DeclaredCharset {
  charset: string;
  isConverted?: boolean;
}

/**
 * Decodes bytes of mail so that what can be read is read: UTF-8 where they are valid UTF-8, else the declared charset, else
 * a detected one, else windows-1252. Never throws.
 */
export function decodeText(bytes: Uint8Array, { charset, isConverted = false }: DeclaredCharset): string {
  const name = nameOf(charset);
  const special = decodeWide(bytes, name) ?? decodeEscaped(bytes, name);
  if (special !== undefined) return special.replace(/^\ufeff/, '');
  if (isAscii(bytes)) return latin1(bytes);
  const unicode = isUtf8(bytes) ? utf8.decode(bytes) : undefined;
  if (unicode !== undefined && (isConverted || !MULTI_BYTE.test(name) || LIKELY_UTF8.test(unicode)))
    return unicode;
  const declared = decodeAs(bytes, name);
  if (declared !== undefined && !declared.includes('\ufffd')) return declared;
  if (unicode !== undefined) return unicode;
  const mixed = decodeMixed(bytes);
  if (mixed !== undefined) return mixed;
  if (declared !== undefined && damageOf(declared) < 0.1) return declared;
  return detect(bytes) ?? windows1252.decode(bytes);
}
