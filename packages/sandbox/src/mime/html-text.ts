/** Elements whose content is not visible text, with their closing tags. */
const HIDDEN = new Map([
  ['head', /<\/head(?![a-z0-9:])/gi],
  ['style', /<\/style(?![a-z0-9:])/gi],
  ['script', /<\/script(?![a-z0-9:])/gi],
  ['title', /<\/title(?![a-z0-9:])/gi],
]);

/** Inline elements; all other elements separate words. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark o:p q s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
);

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
  zwnj: '\u200c',
  zwj: '\u200d',
  shy: '\u00ad',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  euro: '€',
  pound: '£',
};

/** Converts markup to text in one pass: removes tags, comments, heads, styles and scripts, and decodes entities. */
export function htmlToText(markup: string): string {
  const out: string[] = [];
  let at = 0;
  while (at < markup.length) {
    const open = markup.indexOf('<', at);
    if (open < 0) break;
    out.push(markup.slice(at, open));
    const tag = tagAt(markup, open);
    if (tag === undefined) out.push('<');
    else if (!INLINE.has(tag.name)) out.push(' ');
    at = tag?.end ?? open + 1;
  }
  return decodeEntities(out.join('') + markup.slice(at));
}

/** Returns the tag, comment or hidden element that starts at a `<`; undefined if it is an ordinary character. */
function tagAt(markup: string, open: number): { name: string; end: number } | undefined {
  if (markup.startsWith('<!--', open)) return { name: '', end: behind(markup, '-->', open + 4) };
  const name = /^<[/!?]?([a-z][a-z0-9:]{0,30})?/i.exec(markup.slice(open, open + 34));
  if (!name || name[0].length < 2) return undefined;
  const tag = (name[1] ?? '').toLowerCase();
  const end = behind(markup, '>', open);
  const closing = name[0][1] === '/' ? undefined : HIDDEN.get(tag);
  return { name: tag, end: closing ? endOfHidden(markup, closing, end) : end };
}

/** Returns the end of the element's closing tag; an unclosed element hides the rest. */
function endOfHidden(markup: string, closing: RegExp, from: number): number {
  closing.lastIndex = from;
  const found = closing.exec(markup);
  return found ? behind(markup, '>', found.index) : markup.length;
}

/** Returns the position after the next occurrence of the text, or the end, since an unclosed element hides the rest. */
function behind(markup: string, text: string, from: number): number {
  const at = markup.indexOf(text, from);
  return at < 0 ? markup.length : at + text.length;
}

function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? ENTITIES[name.toLowerCase()] ?? whole;
    const isHex = /^#x/i.test(name);
    const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
    return isCharacter(code) ? String.fromCodePoint(code) : '';
  });
}

function isCharacter(code: number): boolean {
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
}
