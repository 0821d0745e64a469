import { type QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { AttributeWriter, isKnownAttribute } from './attributes.ts';
import { BLOCKS, CELLS, FORMATTING, HIDDEN, INLINE, TABLE_PARTS, VOID } from './elements.ts';
import { PageWriter } from './page-writer.ts';

/** Longest HTML that is read and written, UTF-16 units. */
export const PAGE_LENGTH = 500_000;
/** Control characters that no browser shows. */
const UNSHOWN = /(?![\t\n\f\u0080-\u009f])\p{Cc}/gu;

/** HTML of a mail that a browser reads in a bounded time. */
export interface MailPage {
  /** Balanced HTML of known elements and attributes. */
  html: string;
  isCutOff: boolean;
}

function isKnown(name: string): boolean {
  return [BLOCKS, CELLS, FORMATTING, INLINE, TABLE_PARTS, VOID].some((names) => names.has(name));
}

/** Classes of the elements in which mail programs put the mail that is answered. */
const QUOTES = new Set([
  'gmail_quote',
  'gmail_quote_container',
  'yahoo_quoted',
  'protonmail_quote',
  'tutanota_quote',
]);

/** Returns whether an attribute is read. Classes are not written. */
function isRead(name: string): boolean {
  return name === 'class' || isKnownAttribute(name);
}

function isQuote(name: string, attributes: ReadonlyMap<string, string>): boolean {
  if (name === 'blockquote') return true;
  return name === 'div' && (attributes.get('class') ?? '').split(/\s/, 20).some((one) => QUOTES.has(one));
}

function cleanText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(UNSHOWN, '').toWellFormed();
}

/** Passes the tokens of a mail to a writer, without elements that are hidden and attributes that are unknown. */
class MailTokens implements TokenizerCallbacks {
  readonly #html: string;
  readonly #writer: PageWriter;
  readonly #foldsQuotes: boolean;
  readonly #attributes = new AttributeWriter();
  #name = '';
  #values = new Map<string, string>();
  #attribute = '';
  #value = '';
  /** The hidden element around the current token, and how often it is open. */
  #hidden = '';
  #hiddenDepth = 0;

  constructor(html: string, writer: PageWriter, foldsQuotes: boolean) {
    this.#html = html;
    this.#writer = writer;
    this.#foldsQuotes = foldsQuotes;
  }

  onopentagname(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    this.#name = name === 'image' ? 'img' : name;
    this.#values = new Map();
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, end).toLowerCase();
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (isRead(this.#attribute)) this.#value += this.#html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(_quote: QuoteType, _end: number): void {
    const isNew = isRead(this.#attribute) && !this.#values.has(this.#attribute);
    if (isNew) this.#values.set(this.#attribute, cleanText(this.#value));
  }

  onopentagend(): void {
    if (this.#hiddenDepth > 0) {
      if (this.#name === this.#hidden) this.#hiddenDepth++;
    } else if (HIDDEN.has(this.#name)) {
      this.#hidden = this.#name;
      this.#hiddenDepth = 1;
    } else if (isKnown(this.#name)) {
      const attributes = this.#attributes.write(this.#values);
      if (this.#foldsQuotes && isQuote(this.#name, this.#values))
        this.#writer.openQuote(this.#name, attributes);
      else this.#writer.open(this.#name, attributes);
    }
  }

  onselfclosingtag(): void {
    const isEmpty = this.#name === 'svg' || this.#name === 'math';
    if (!isEmpty) this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    if (this.#hiddenDepth > 0) {
      if (name === this.#hidden) this.#hiddenDepth--;
    } else if (isKnown(name)) this.#writer.close(name);
  }

  ontext(start: number, end: number): void {
    if (this.#hiddenDepth === 0) this.#writer.text(cleanText(this.#html.slice(start, end)));
  }

  ontextentity(codePoint: number): void {
    if (this.#hiddenDepth === 0) this.#writer.text(cleanText(String.fromCodePoint(codePoint)));
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}

/**
 * Rewrites the HTML of a mail: nothing that runs, loads or asks, and no tags that a browser has to put in order, which takes
 * it minutes for a few kilobytes. The page still sanitises the result.
 * @param foldsQuotes whether quoted mails at the end are folded
 */
export function writeMailPage(html: string, foldsQuotes = true): MailPage {
  const writer = new PageWriter(PAGE_LENGTH);
  const page = html.slice(0, PAGE_LENGTH).toWellFormed();
  const tokenizer = new Tokenizer({}, new MailTokens(page, writer, foldsQuotes));
  tokenizer.write(page);
  tokenizer.end();
  return { isCutOff: html.length > PAGE_LENGTH || writer.isFull, html: writer.finish() };
}
