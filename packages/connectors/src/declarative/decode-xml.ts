import { Parser } from 'htmlparser2';
import { ProviderError } from '../sdk/provider-error.ts';
import { ANSWER_LIMITS, setField, tooLargeError } from './decode-limits.ts';
import { escapeHtml } from './escape-html.ts';

/** An element as it is decoded: a text, or its attributes (`@name`), children by name and text (`#text`). */
export type XmlValue = string | XmlValue[] | XmlFields;
export type XmlFields = { [name: string]: XmlValue };

interface OpenElement {
  name: string;
  fields: XmlFields;
  isPlain: boolean;
  text: string;
}

type Attributes = Readonly<Record<string, string>>;

/** Elements of HTML that have no end tag. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

function startTag(name: string, attributes: Attributes): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`);
  return `<${name}${given.join('')}>`;
}

/** Builds the value of a document from the events of the parser. */
class XmlBuilder {
  readonly #isFeed: boolean;
  readonly #open: OpenElement[] = [];
  #values = 0;
  /** Number of open elements within a text of XHTML, which is kept as markup. */
  #markupDepth = 0;
  root: XmlFields | undefined;

  constructor(isFeed: boolean) {
    this.#isFeed = isFeed;
  }

  count(): void {
    if (++this.#values > ANSWER_LIMITS.values) throw tooLargeError();
  }

  /** A document type may name a file, which is not read, but declare nothing: entities that expand each other fill memory. */
  refuseDeclarations(declaration: string): void {
    if (declaration.startsWith('!') && declaration.includes('['))
      throw new ProviderError('malformed', 'The provider sent XML that declares entities, which is refused.');
  }

  addText(text: string): void {
    const element = this.#open.at(-1);
    if (element) element.text += this.#markupDepth > 0 ? escapeHtml(text) : text;
    else if (text.trim() !== '' && !this.#isFeed)
      throw new SyntaxError('The answer has a text beside its element.');
  }

  openTag(name: string, attributes: Attributes): void {
    this.count();
    if (this.#open.length + this.#markupDepth >= ANSWER_LIMITS.depth) throw tooLargeError();
    const parent = this.#open.at(-1);
    if (this.#isFeed && parent?.fields['@type'] === 'xhtml') {
      this.#markupDepth++;
      parent.text += startTag(name, attributes);
      return;
    }
    const fields: XmlFields = {};
    const given = Object.entries(attributes);
    for (const [key, value] of given) setField(fields, `@${key}`, value);
    this.#open.push({ name, fields, isPlain: given.length === 0, text: '' });
  }

  /** @param isImplied true if the end tag is missing, as in a document that was cut off */
  closeTag(name: string, isImplied: boolean): void {
    const isRoot = this.#open.length === 1 && this.#markupDepth === 0;
    if (isImplied && (isRoot || !this.#isFeed)) throw new SyntaxError(`The element ${name} is not closed.`);
    if (this.#markupDepth > 0) {
      this.#markupDepth--;
      const [element] = this.#open.slice(-1);
      if (element && !VOID.test(name)) element.text += `</${name}>`;
      return;
    }
    const element = this.#open.pop();
    if (!element) return;
    const text = element.text.trim();
    if (!element.isPlain && text !== '') element.fields['#text'] = text;
    this.#add(element.name, element.isPlain ? text : element.fields);
  }

  #add(name: string, value: XmlValue): void {
    const parent = this.#open.at(-1);
    if (!parent) {
      if (this.root) throw new SyntaxError('The answer has several documents.');
      this.root = {};
      setField(this.root, name, value);
      return;
    }
    parent.isPlain = false;
    const before = Object.hasOwn(parent.fields, name) ? parent.fields[name] : undefined;
    if (before === undefined) setField(parent.fields, name, value);
    else if (Array.isArray(before)) before.push(value);
    else parent.fields[name] = [before, value];
  }
}

/**
 * Decodes XML into `{ root: value }`: an element is its trimmed text, or an object of its attributes (`@name`), its children
 * by name with prefix (a list where a name is repeated), and its text (`#text`). Nothing that a DTD declares is read.
 * @param options `isFeed`: passes over missing end tags, and keeps the markup of elements of type `xhtml` as text
 * @throws SyntaxError for what is no complete document, and for HTML; ProviderError `malformed` for declared entities
 */
export function decodeXml(xml: string, { isFeed = false } = {}): XmlFields {
  const builder = new XmlBuilder(isFeed);
  let openedAt = -1;
  const parser = new Parser(
    {
      onprocessinginstruction: (_, declaration) => builder.refuseDeclarations(declaration),
      onattribute: () => builder.count(),
      onopentag(name, attributes) {
        openedAt = parser.endIndex;
        builder.openTag(name, attributes);
      },
      ontext: (text) => builder.addText(text),
      // The parser calls the end of `<a/>` implied, too.
      onclosetag: (name, isImplied) => builder.closeTag(name, isImplied && parser.endIndex !== openedAt),
    },
    { xmlMode: true },
  );
  parser.end(xml);
  const { root } = builder;
  if (!root || Object.keys(root).some((name) => /^html$/i.test(name)))
    throw new SyntaxError('The answer is not XML.');
  return root;
}
