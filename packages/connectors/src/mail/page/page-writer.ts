import { escapeHtml } from './attributes.ts';
import { BLOCKS, CELLS, FORMATTING, HEADINGS, TABLE_PARTS, TABLE_SECTIONS, VOID } from './elements.ts';

/** Largest page: elements, nested elements, UTF-16 units. Newsletters have up to 5,000 elements, 60 of them nested. */
export const MAX_ELEMENTS = 10_000;
export const MAX_DEPTH = 100;
/** Nested elements within a line, so that many of them leave room for blocks. */
const MAX_INLINE = 40;
/** A table is opened only where its section, row and cell fit as well. */
const MAX_TABLE_DEPTH = MAX_DEPTH - 4;
/** Formatting elements that continue after the block in which they were not closed, and those that are the same. */
const MAX_CONTINUED = 12;
const MAX_SAME = 3;

const BLANK = /^[\t\n\f\r ]*$/;
/** The rest of an escaped character or a surrogate pair at the end of a text that was cut. */
const CUT_CHARACTER = /(?:&[a-z]{0,5}|[\ud800-\udbff])$/;

/** Items of a list, each of which ends the one before. */
const TERMS = new Set(['dd', 'dt']);
const SAME_ITEMS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['li', new Set(['li'])],
  ['dd', TERMS],
  ['dt', TERMS],
]);
/** Elements whose items do not end those outside. */
const ITEM_BOUNDARIES = new Set(
  [...BLOCKS, ...TABLE_PARTS, ...CELLS].filter((name) => !/^(?:address|div|p)$/.test(name)),
);

interface OpenElement {
  name: string;
  tag: string;
  /** False for an element that continues in the next block: its tag is written when content follows. */
  isWritten: boolean;
  /** True for one whose tag was taken back. */
  isUnfolded?: boolean;
}

/** A quoted mail, whose content is folded while no text follows it. */
interface Quote {
  /** The element that folds it. */
  details: OpenElement;
  /** Indexes of the pieces that fold it. */
  pieces: number[];
  isClosed: boolean;
  /** Whether its first text was seen. */
  isBegun: boolean;
}

/** What folds a quote says. */
const SHOW_QUOTE = 'Show quoted text';
/** More than the length of the tags that fold a quote. */
const QUOTE_LENGTH = 100;
/** Begins what Gmail and others quote of a mail that is forwarded. */
const FORWARDED = '-----';

type Test = (name: string) => boolean;
const isCell: Test = (name) => CELLS.has(name);
const isBoundary: Test = (name) => name === 'table' || CELLS.has(name);
const isSpecial: Test = (name) => BLOCKS.has(name) || TABLE_PARTS.has(name) || CELLS.has(name);

/**
 * Writes balanced HTML from any order of tags, in time linear in their number. It places elements as browsers do: a browser
 * reads the result as the same tree, and never has to open an element again.
 */
export class PageWriter {
  readonly #maxLength: number;
  readonly #pieces: string[] = [];
  readonly #open: OpenElement[] = [];
  #length = 0;
  /** Length of the end tags of the open elements. */
  #endLength = 0;
  #elements = 0;
  #isPreStart = false;
  #hasText = false;
  #quotes: Quote[] = [];
  /** Whether a maximum was reached; what follows is left out. */
  isFull = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Opens an element on a list. @param attributes escaped, with a blank before each */
  open(name: string, attributes: string): void {
    if (this.isFull) return;
    if (isCell(name) || (TABLE_PARTS.has(name) && name !== 'table') || name === 'col') {
      if (this.#prepareTable(name)) this.#add(name, attributes);
      return;
    }
    this.#endBefore(name);
    const continued = BLOCKS.has(name) && name !== 'table' ? this.#takeContinued() : [];
    this.#prepareContent();
    if (this.#fits(name, this.#open.length + continued.length)) this.#add(name, attributes);
    this.#open.push(...continued);
  }

  /**
   * Opens an element with an earlier mail that this one answers. It is folded, unless text follows it (an answer below it),
   * or none is before it.
   */
  openQuote(name: string, attributes: string): void {
    this.open(name, attributes);
    const isNested = this.#quotes.at(-1)?.isClosed === false;
    const hasRoom =
      this.#maxLength - this.#length - this.#endLength > QUOTE_LENGTH && this.#elements + 2 <= MAX_ELEMENTS;
    if (this.isFull || !hasRoom || isNested || !this.#hasText || this.#current !== name) return;
    const from = this.#pieces.length;
    this.#add('details', '');
    const details = this.#open.at(-1);
    if (this.isFull || !details) return;
    this.#push(`<summary>${SHOW_QUOTE}</summary>`);
    this.#elements++;
    this.#quotes.push({ details, pieces: [from, from + 1], isClosed: false, isBegun: false });
  }

  /** Closes an element. An end tag without its element has no effect, but for two that browsers show. */
  close(name: string): void {
    if (this.isFull) return;
    if (name === 'br') this.open('br', '');
    else if (VOID.has(name)) return;
    else if (FORMATTING.has(name)) this.#closeFormatting(name);
    else if (HEADINGS.has(name)) this.#end(this.#find((open) => HEADINGS.has(open), isBoundary));
    else if (name === 'table') this.#cut(this.#find((open) => open === 'table'));
    else if (TABLE_PARTS.has(name) || isCell(name))
      this.#cut(
        this.#find(
          (open) => open === name,
          (open) => open === 'table',
        ),
      );
    else this.#closeOther(name);
  }

  /** Adds a text that is not escaped. */
  text(text: string): void {
    if (this.isFull || text === '') return;
    if (TABLE_PARTS.has(this.#current) && BLANK.test(text)) return;
    const shown = this.#isPreStart ? text.replace(/^\n+/, '') : text;
    if (shown === '') return;
    if (!BLANK.test(shown)) {
      this.#prepareContent();
      this.#seeText(shown);
    }
    if (this.isFull) return;
    const escaped = escapeHtml(shown);
    const room = this.#maxLength - this.#length - this.#endLength;
    if (escaped.length <= room) this.#push(escaped);
    else {
      this.isFull = true;
      this.#push(escaped.slice(0, room).replace(CUT_CHARACTER, ''));
    }
  }

  /** Closes all open elements and returns the page. */
  finish(): string {
    this.#cut(0);
    return this.#pieces.join('');
  }

  /** Unfolds the quotes before a text, and one that is a forwarded mail. */
  #seeText(text: string): void {
    this.#hasText = true;
    const quote = this.#quotes.at(-1);
    if (!quote) return;
    const isForwarded = !quote.isBegun && text.trimStart().startsWith(FORWARDED);
    quote.isBegun = true;
    if (!quote.isClosed && !isForwarded) return;
    for (const { pieces, details } of quote.isClosed ? this.#quotes : [quote]) {
      for (const index of pieces) this.#pieces[index] = '';
      // Its end tag is left out, too.
      details.isUnfolded = true;
    }
    this.#quotes = quote.isClosed ? [] : this.#quotes.slice(0, -1);
  }

  get #current(): string {
    return this.#open.at(-1)?.name ?? '';
  }

  /** Returns the index of the innermost open element that passes, -1 if none does before the first that stops. */
  #find(passes: Test, stops: Test = () => false): number {
    for (let index = this.#open.length - 1; index >= 0; index--) {
      const { name } = this.#open[index] as OpenElement;
      if (passes(name)) return index;
      if (stops(name)) return -1;
    }
    return -1;
  }

  #fits(name: string, depth: number): boolean {
    if (VOID.has(name)) return true;
    if (isSpecial(name)) return depth < (name === 'table' ? MAX_TABLE_DEPTH : MAX_DEPTH);
    const inline = this.#open.filter((element) => !isSpecial(element.name));
    return depth < MAX_DEPTH && inline.length < MAX_INLINE;
  }

  /** Closes the elements from an index on; -1 closes none. @returns the closed elements */
  #cut(index: number): OpenElement[] {
    if (index < 0) return [];
    const closed = this.#open.splice(index);
    for (const element of closed.toReversed()) {
      const { name, isWritten, isUnfolded } = element;
      if (!isWritten) continue;
      this.#endLength -= name.length + 3;
      if (isUnfolded) continue;
      const quote = this.#quotes.at(-1);
      if (quote?.details === element) {
        quote.isClosed = true;
        quote.pieces.push(this.#pieces.length);
      }
      this.#push(`</${name}>`);
    }
    return closed;
  }

  /** Closes the elements from an index on. Formatting elements in them continue with the next content. */
  #end(index: number): void {
    this.#continue(this.#cut(index).filter(({ name }) => FORMATTING.has(name)));
  }

  #continue(elements: readonly OpenElement[]): void {
    const same = new Map<string, number>();
    const kept = elements.toReversed().filter(({ tag }) => {
      const count = (same.get(tag) ?? 0) + 1;
      same.set(tag, count);
      return count <= MAX_SAME;
    });
    const continued = kept.slice(0, MAX_CONTINUED).reverse();
    this.#open.push(...continued.map((element) => ({ ...element, isWritten: false })));
  }

  /** Removes the formatting elements that continue with the next content, to place them in a new block. */
  #takeContinued(): OpenElement[] {
    const last = this.#open.findLastIndex(({ name, isWritten }) => isWritten || !FORMATTING.has(name));
    return this.#open.splice(last + 1);
  }

  #closeFormatting(name: string): void {
    const index = this.#find((open) => open === name, isBoundary);
    if (index < 0) return;
    const [, ...inner] = this.#cut(index);
    const hasBlock = inner.some((element) => isSpecial(element.name));
    // An element around blocks that ends in one of them: the blocks continue without it.
    if (hasBlock) this.#open.push(...inner.map((element) => ({ ...element, isWritten: false })));
    else this.#continue(inner.filter((element) => FORMATTING.has(element.name)));
  }

  #closeOther(name: string): void {
    const stops = BLOCKS.has(name) ? isBoundary : isSpecial;
    const index = this.#find((open) => open === name, stops);
    if (index >= 0) this.#end(index);
    else if (name === 'p') {
      // Browsers show an empty paragraph.
      this.open('p', '');
      this.#end(this.#find((open) => open === 'p', isBoundary));
    }
  }

  /** Closes what cannot contain a new element. */
  #endBefore(name: string): void {
    if (name === 'a' || name === 'nobr') this.#closeFormatting(name);
    if (!BLOCKS.has(name)) return;
    const same = SAME_ITEMS.get(name);
    const item = same ? this.#find((open) => ITEM_BOUNDARIES.has(open)) : -1;
    if (same?.has(this.#open[item]?.name ?? '')) this.#end(item);
    if (HEADINGS.has(name)) this.#end(this.#find((open) => HEADINGS.has(open), isBoundary));
    this.#end(this.#find((open) => open === 'p', isBoundary));
  }

  /** Closes and opens parts of the innermost table for another part. @returns false without a table */
  #prepareTable(name: string): boolean {
    const table = this.#find((open) => open === 'table');
    if (table < 0) return false;
    const keep: Test =
      name === 'col'
        ? (open) => open === 'colgroup'
        : name === 'tr'
          ? (open) => TABLE_SECTIONS.has(open)
          : (open) => (name === 'td' || name === 'th') && (TABLE_SECTIONS.has(open) || open === 'tr');
    let index = table + 1;
    while (index < this.#open.length && keep(this.#open[index]?.name ?? '')) index++;
    if (index < this.#open.length) this.#cut(index);
    if (name === 'col' && this.#current !== 'colgroup') this.#add('colgroup', '');
    if (/^t[rdh]$/.test(name) && this.#current === 'table') this.#add('tbody', '');
    if (/^t[dh]$/.test(name) && this.#current !== 'tr') this.#add('tr', '');
    return true;
  }

  /** Opens a cell for content of a table outside its cells, and writes the elements that continue. */
  #prepareContent(): void {
    if (TABLE_PARTS.has(this.#current) && this.#prepareTable('td')) this.#add('td', '');
    const first = this.#open.findIndex(({ isWritten }) => !isWritten);
    if (first < 0) return;
    for (const { name, tag } of this.#open.splice(first)) this.#write(name, tag);
  }

  #add(name: string, attributes: string): void {
    this.#write(name, `<${name}${attributes}>`);
  }

  #write(name: string, tag: string): void {
    const isVoid = VOID.has(name);
    const endLength = isVoid ? 0 : name.length + 3;
    const isTooLong = this.#length + tag.length + this.#endLength + endLength > this.#maxLength;
    this.isFull ||= isTooLong || this.#elements >= MAX_ELEMENTS;
    if (this.isFull) return;
    this.#elements++;
    this.#push(tag);
    this.#isPreStart = name === 'pre';
    if (isVoid) return;
    this.#endLength += endLength;
    this.#open.push({ name, tag, isWritten: true });
  }

  #push(piece: string): void {
    this.#isPreStart = false;
    this.#length += piece.length;
    this.#pieces.push(piece);
  }
}
