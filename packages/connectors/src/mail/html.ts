import { decodeHTML } from 'entities';

/** Longest HTML that is read, UTF-16 units. */
const MAX_LENGTH = 256 * 1024;
/** Elements whose content is not text. */
const HIDDEN = /^<(style|script|title)\b/i;
const CLOSING_TAGS: Readonly<Record<string, RegExp>> = {
  style: /<\/style/gi,
  script: /<\/script/gi,
  title: /<\/title/gi,
};
/** Character that may follow the `<` of a tag; any other `<` is text. */
const TAG = /[a-z/!?]/i;
/** Elements inside words; all others separate words. */
const INLINE =
  /^<\/?(a|abbr|acronym|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|nobr|o:p|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr)(?![a-z0-9:-])/i;
const NAME_LENGTH = 12;
/** Characters without width where a word may be broken: soft hyphen, zero-width space, word joiner and the like. */
const NO_WIDTH = /(?:\u034f|[\u00ad\u180e\u200b\u2060\ufeff])+/g;
/** A tag with quoted attributes, of which `>` is part. Bounded, so that a tag without an end costs little. */
const QUOTED_TAG = /<[^>"']{0,500}(?:=\s{0,9}(?:"[^"]{0,500}"|'[^']{0,500}')[^>"']{0,200}){1,20}>/y;

/** Returns the text of HTML in one pass, for excerpts, reading and the search index; never for display as HTML. */
export function textOfHtml(html: string): string {
  const page = html.slice(0, MAX_LENGTH);
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
      const isInline = INLINE.test(page.slice(open, open + NAME_LENGTH + 1));
      pieces.push(page.slice(at, open), isInline || page.startsWith('<!--', open) ? '' : ' ');
      at = afterTag(page, open, end);
    } else {
      pieces.push(page.slice(at, open + 1));
      at = open + 1;
    }
  }
  return decodeHTML(pieces.join('') + page.slice(at)).replaceAll(NO_WIDTH, '');
}

/** Returns the end of a tag, or of the comment or hidden element it opens (end of the page if unclosed). */
function afterTag(page: string, open: number, end: number): number {
  if (page.startsWith('<!--', open)) {
    const close = page.indexOf('-->', open + 4);
    return close < 0 ? page.length : close + 3;
  }
  const hidden = HIDDEN.exec(page.slice(open, open + 8))?.[1]?.toLowerCase();
  const closer = hidden === undefined ? undefined : CLOSING_TAGS[hidden];
  if (!closer) return endOfTag(page, open, end);
  closer.lastIndex = end;
  return closer.exec(page)?.index ?? page.length;
}

/** Returns the offset after a tag, whose quoted attributes may contain `>`. */
function endOfTag(page: string, open: number, end: number): number {
  QUOTED_TAG.lastIndex = open;
  return QUOTED_TAG.test(page) ? QUOTED_TAG.lastIndex : end + 1;
}
