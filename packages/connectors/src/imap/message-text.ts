import { decodeHTML } from 'entities';
import { storable } from '../sdk/storable.ts';

/** Longest body text in a record, UTF-16 units. */
const BODY_LIMIT = 64 * 1024;
const SNIPPET_LIMIT = 200;

/** Truncates a body text. */
export function truncateBody(text: string): string {
  return storable(text.slice(0, BODY_LIMIT));
}

/** Returns the start of a text as one line. */
export function snippetOf(text: string): string {
  const line = text
    .slice(0, 8 * SNIPPET_LIMIT)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return storable(line.slice(0, SNIPPET_LIMIT));
}

/** Elements whose content is not text. */
const HIDDEN = /^<(style|script)\b/i;
const CLOSING_TAGS: Record<string, RegExp> = { style: /<\/style/gi, script: /<\/script/gi };
/** Character that may follow the `<` of a tag; any other `<` is text. */
const TAG = /[a-z/!?]/i;

/** Extracts the text of an HTML page in one pass, for snippets and texts; never for display as HTML. */
export function textOfHtml(html: string): string {
  const page = html.slice(0, BODY_LIMIT);
  const pieces: string[] = [];
  let at = 0;
  let end = 0;
  while (at < page.length) {
    const open = page.indexOf('<', at);
    // Search once per tag: many `<` may precede one `>`.
    if (open >= 0 && end <= open) end = page.indexOf('>', open);
    // An unclosed tag is text.
    if (open < 0 || end < 0) break;
    if (TAG.test(page[open + 1] ?? '')) {
      pieces.push(page.slice(at, open), ' ');
      at = afterTag(page, open, end);
    } else {
      pieces.push(page.slice(at, open + 1));
      at = open + 1;
    }
  }
  return decodeHTML(pieces.join('') + page.slice(at));
}

/** Returns the end of a tag, or of the comment or hidden element it opens (end of the page if unclosed). */
function afterTag(page: string, open: number, end: number): number {
  if (page.startsWith('<!--', open)) {
    const close = page.indexOf('-->', open + 4);
    return close < 0 ? page.length : close + 3;
  }
  const hidden = HIDDEN.exec(page.slice(open, open + 8))?.[1]?.toLowerCase();
  const closer = hidden === undefined ? undefined : CLOSING_TAGS[hidden];
  if (!closer) return end + 1;
  closer.lastIndex = end;
  return closer.exec(page)?.index ?? page.length;
}
