import { storable } from '../sdk/storable.ts';

/** Longest text of a body that is kept, UTF-16 units. */
const BODY_LIMIT = 64 * 1024;
const SNIPPET_LIMIT = 200;

/** Cuts a body to the length kept. */
export function clipped(text: string): string {
  return storable(text.slice(0, BODY_LIMIT));
}

/** The beginning of a text as one line. */
export function snippetOf(text: string): string {
  const line = text
    .slice(0, 8 * SNIPPET_LIMIT)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return storable(line.slice(0, SNIPPET_LIMIT));
}

/** Elements whose content is no text. */
const HIDDEN = /^<(style|script)\b/i;
const CLOSERS: Record<string, RegExp> = { style: /<\/style/gi, script: /<\/script/gi };
/** What may follow the `<` of a tag; other ones are text. */
const TAG = /[a-z/!?]/i;

/** Reads the text of a page of HTML in one pass: for snippets and texts, never for display as HTML. */
export function textOfHtml(html: string): string {
  const page = html.slice(0, BODY_LIMIT);
  const pieces: string[] = [];
  let at = 0;
  let end = 0;
  while (at < page.length) {
    const open = page.indexOf('<', at);
    // Searched for once per tag: many `<` may come before one `>`.
    if (open >= 0 && end <= open) end = page.indexOf('>', open);
    // A tag that is never closed is text.
    if (open < 0 || end < 0) break;
    if (TAG.test(page[open + 1] ?? '')) {
      pieces.push(page.slice(at, open), ' ');
      at = afterTag(page, open, end);
    } else {
      pieces.push(page.slice(at, open + 1));
      at = open + 1;
    }
  }
  return pieces.join('') + page.slice(at);
}

/** The end of a tag, or of the comment or the hidden element that it begins: without a closer, of the page. */
function afterTag(page: string, open: number, end: number): number {
  if (page.startsWith('<!--', open)) {
    const close = page.indexOf('-->', open + 4);
    return close < 0 ? page.length : close + 3;
  }
  const hidden = HIDDEN.exec(page.slice(open, open + 8))?.[1]?.toLowerCase();
  const closer = hidden === undefined ? undefined : CLOSERS[hidden];
  if (!closer) return end + 1;
  closer.lastIndex = end;
  return closer.exec(page)?.index ?? page.length;
}
