import { htmlToText } from '../mime/html-text.ts';
import { type MimePart, walkParts } from '../mime/mime-tree.ts';
import { escapeHtml } from '../pages/html.ts';

/** Longest snippet, characters after escaping, as recorded answers of Gmail show. */
const LONGEST = 201;
/** Bytes of a text that are read for its snippet: preheaders and styles can be long. */
const READ_BYTES = 256 * 1024;
/** Words, and every other character by itself; scripts without spaces have a word for each character. */
const TOKENS =
  /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+|[\s\S]/gu;

/**
 * The beginning of a message's text on one line, HTML-escaped as Gmail sends it: from the HTML where there is one beside
 * the plain text, without quotation marks, cut before the word or mark that no longer fits.
 */
export function snippetOf(message: MimePart): string {
  const line = lineOf(message) || lineInside(message);
  const escaped = escapeHtml(line);
  return escaped.length <= LONGEST ? escaped : cut(line);
}

/** The text of a part on one line: of an alternative the HTML, of several parts the first that has text. */
function lineOf(part: MimePart): string {
  if (part.mimeType.startsWith('message/') || part.filename !== '' || part.attached) return '';
  if (part.children.length === 0) return lineOfText(part);
  const isAlternative = part.mimeType === 'multipart/alternative';
  const children = isAlternative ? part.children.toReversed() : part.children;
  for (const child of children) {
    const line = lineOf(child);
    if (line !== '') return line;
  }
  return '';
}

/** The text of the first attached message, for mail that has no text of its own. */
function lineInside(message: MimePart): string {
  for (const part of walkParts(message)) {
    if (part.mimeType !== 'message/rfc822') continue;
    const line = part.children.map(lineOf).find((each) => each !== '');
    if (line !== undefined) return line;
  }
  return '';
}

function lineOfText({ mimeType, content }: MimePart): string {
  if (mimeType !== 'text/plain' && mimeType !== 'text/html') return '';
  const text = content.toString('utf8', 0, READ_BYTES);
  const plain = mimeType === 'text/html' ? htmlToText(text) : text.replace(/^[ \t]*>[ \t>]*/gm, '');
  return plain.replaceAll('\0', '').replace(/\s+/g, ' ').trim();
}

/** Takes whole words and marks while the escaped text fits; a first word that does not fit is cut. */
function cut(line: string): string {
  let out = '';
  for (const [token] of line.slice(0, 4 * LONGEST).matchAll(TOKENS)) {
    const next = out + escapeHtml(token);
    if (next.length > LONGEST) return out === '' ? [...token].slice(0, LONGEST).join('') : out.trimEnd();
    out = next;
  }
  return out.trimEnd();
}
