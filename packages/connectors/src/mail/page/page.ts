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

function cleanText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(UNSHOWN, '').toWellFormed();
}

/** Passes the tokens of a mail to a writer, without elements that are hidden and attributes that are unknown. */
class MailTokens implements TokenizerCallbacks {
  readonly #html: string;
  readonly #writer: PageWriter;
  readonly #attributes = new AttributeWriter();
  #name = '';
  #values = new Map<string, string>();
  #attribute = '';
  #value = '';
  /** The hidden element around the current token, and how often it is open. */
  #hidden = '';
  #hiddenDepth = 0;

  constructor(html: string, writer: PageWriter) {
    this.#html = html;
    this.#writer = writer;
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
    if (isKnownAttribute(this.#attribute)) this.#value += this.#html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(_quote: QuoteType, _end: number): void {
    const isNew = isKnownAttribute(this.#attribute) && !this.#values.has(this.#attribute);
    if (isNew) this.#values.set(this.#attribute, cleanText(this.#value));
  }

  onopentagend(): void {
    if (this.#hiddenDepth > 0) {
      if (this.#name === this.#hidden) this.#hiddenDepth++;
    } else if (HIDDEN.has(this.#name)) {
      this.#hidden = this.#name;
      this.#hiddenDepth = 1;
    } else if (isKnown(this.#name)) {
      this.#writer.open(this.#name, this.#attributes.write(this.#values));
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
 */
export function writeMailPage(html: string): MailPage {
  const writer = new PageWriter(PAGE_LENGTH);
  const page = html.slice(0, PAGE_LENGTH).toWellFormed();
  const tokenizer = new Tokenizer({}, new MailTokens(page, writer));
  tokenizer.write(page);
  tokenizer.end();
  return { isCutOff: html.length > PAGE_LENGTH || writer.isFull, html: writer.finish() };
}
