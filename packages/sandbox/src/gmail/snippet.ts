import { htmlToText } from '../mime/html-text.ts';
import { type MimePart, walkParts } from '../mime/mime-tree.ts';
import { escapeHtml } from '../pages/html.ts';

/** Maximum length of a snippet after escaping, characters, as in recorded responses of Gmail. */
const MAX_LENGTH = 201;
/** Maximum size of the text that is read for a snippet, bytes: preheaders and styles can be long. */
const MAX_READ_BYTES = 256 * 1024;
/** Matches words and single other characters; in scripts without spaces, each character is a word. */
const TOKENS =
  /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+|[\s\S]/gu;

/**
 * Returns the beginning of a message's text on one line, HTML-escaped like Gmail's: from the HTML part if there is one,
 * without quotation marks, cut before the first word or mark that does not fit.
 */
export function snippetOf(message: MimePart): string {
  const line = lineOf(message) || lineInside(message);
  const escaped = escapeHtml(line);
  return escaped.length <= MAX_LENGTH ? escaped : cut(line);
}

/** Returns the text of a part on one line: the HTML of an alternative, or the first part with text. */
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

/** Returns the text of the first attached message, for mail without its own text. */
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
  const text = content.toString('utf8', 0, MAX_READ_BYTES);
  const plain = mimeType === 'text/html' ? htmlToText(text) : text.replace(/^[ \t]*>[ \t>]*/gm, '');
  return plain.replaceAll('\0', '').replace(/\s+/g, ' ').trim();
}

/** Returns the words and marks that fit when escaped; cuts a first word that is too long. */
function cut(line: string): string {
  let out = '';
  for (const [token] of line.slice(0, 4 * MAX_LENGTH).matchAll(TOKENS)) {
    const next = out + escapeHtml(token);
    if (next.length > MAX_LENGTH)
      return out === '' ? [...token].slice(0, MAX_LENGTH).join('') : out.trimEnd();
    out = next;
  }
  return out.trimEnd();
}
