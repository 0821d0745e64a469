import { decodeHTML } from 'entities';
import type { XmlFields, XmlValue } from './decode-xml.ts';
import { escapeHtml } from './escape-html.ts';
import { readDate } from './read-date.ts';

/** An item of a feed. Dates are ISO instants; `summary` and `content` are HTML; null where one is missing. */
export interface FeedItem {
  id: string | null;
  title: string;
  link: string | null;
  author: string | null;
  published: string | null;
  updated: string | null;
  summary: string | null;
  content: string | null;
  categories: string[];
}

/** A feed of RSS 0.9x, 1.0 or 2.0, or of Atom, in one form. */
export interface Feed {
  title: string;
  link: string | null;
  description: string | null;
  items: FeedItem[];
}

/** Returns the elements of this name; texts as elements without attributes. */
function elementsOf(parent: XmlFields, name: string): XmlFields[] {
  const found = Object.hasOwn(parent, name) ? parent[name] : undefined;
  const list: XmlValue[] = found === undefined ? [] : Array.isArray(found) ? found : [found];
  return list.map((value) => (typeof value === 'string' ? { '#text': value } : (value as XmlFields)));
}

function fieldOf(element: XmlFields | undefined, name: string): string | null {
  const value = element?.[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Returns the first text of the elements with these names, in their order. */
function textOf(parent: XmlFields, ...names: string[]): string | null {
  for (const name of names)
    for (const element of elementsOf(parent, name)) {
      const text = fieldOf(element, '#text');
      if (text !== null) return text;
    }
  return null;
}

/** Returns the first readable date of the elements with these names as an ISO instant. A date without a zone is UTC. */
function isoInstantOf(parent: XmlFields, ...names: string[]): string | null {
  for (const name of names) {
    const date = readDate(textOf(parent, name) ?? '');
    if (date) return date.toISOString();
  }
  return null;
}

/** Returns a text of Atom as HTML; texts of RSS have no type and are HTML. */
function htmlOf(element: XmlFields | undefined, isAtom: boolean): string | null {
  const text = fieldOf(element, '#text');
  if (text === null || !isAtom) return text;
  const type = fieldOf(element, '@type') ?? 'text';
  return /html/i.test(type) ? text : escapeHtml(text);
}

/** Returns a title without markup. Titles of RSS have names of HTML characters, but no markup. */
function titleOf(parent: XmlFields, isAtom: boolean): string {
  const [element] = elementsOf(parent, 'title');
  const text = fieldOf(element, '#text') ?? '';
  const isMarkup = /html/i.test(fieldOf(element, '@type') ?? '');
  const plain = isMarkup ? text.replaceAll(/<[^<>]*>/g, '') : text;
  return (isMarkup || !isAtom ? decodeHTML(plain) : plain).replaceAll(/\s+/g, ' ').trim();
}

/** Returns an address of http or https, resolved against an absolute one; null for others. */
function addressOf(text: string | null, base: string | null): string | null {
  const url = text === null ? null : URL.parse(text, base ?? undefined);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** Returns where the page of a feed or item is: a text in RSS, a link without another relation in Atom. */
function linkOf(parent: XmlFields, base: string | null): string | null {
  const links = elementsOf(parent, 'link');
  const pages = links.filter((link) => (fieldOf(link, '@rel') ?? 'alternate') === 'alternate');
  const page = pages.find((link) => /html/.test(fieldOf(link, '@type') ?? '')) ?? pages[0];
  const address = addressOf(fieldOf(page, '@href') ?? fieldOf(page, '#text'), base);
  if (address !== null) return address;
  const [guid] = elementsOf(parent, 'guid');
  return fieldOf(guid, '@isPermaLink') === 'false' ? null : addressOf(fieldOf(guid, '#text'), null);
}

function authorOf(parent: XmlFields): string | null {
  const people = elementsOf(parent, 'author');
  const names = people.map((person) => textOf(person, 'name', 'email') ?? fieldOf(person, '#text'));
  const known = names.filter((name) => name !== null);
  return textOf(parent, 'dc:creator') ?? (known.length > 0 ? known.join(', ') : null);
}

function categoriesOf(item: XmlFields): string[] {
  const names = [...elementsOf(item, 'category'), ...elementsOf(item, 'dc:subject')].map(
    (category) => fieldOf(category, '@label') ?? fieldOf(category, '@term') ?? fieldOf(category, '#text'),
  );
  return [...new Set(names.filter((name) => name !== null))];
}

function itemOf(
  item: XmlFields,
  feed: { link: string | null; author: string | null; isAtom: boolean },
): FeedItem {
  const { isAtom } = feed;
  const first = (name: string) => htmlOf(elementsOf(item, name)[0], isAtom);
  const link = linkOf(item, feed.link);
  const summary = first('summary') ?? first('description');
  return {
    id: textOf(item, 'guid', 'id') ?? fieldOf(item, '@rdf:about') ?? link,
    title: titleOf(item, isAtom),
    link,
    author: authorOf(item) ?? feed.author,
    published: isoInstantOf(item, 'pubDate', 'published', 'issued', 'dc:date', 'dcterms:issued'),
    updated: isoInstantOf(item, 'updated', 'modified', 'atom:updated', 'a10:updated', 'dcterms:modified'),
    summary,
    content: textOf(item, 'content:encoded') ?? first('content') ?? summary,
    categories: categoriesOf(item),
  };
}

/**
 * Returns a decoded document as a feed, its items in the order of the document.
 * @throws SyntaxError for a document that is no feed
 */
export function readFeed(document: XmlFields): Feed {
  const [name = ''] = Object.keys(document);
  const [root = {}] = elementsOf(document, name);
  const isAtom = name === 'feed';
  if (!isAtom && name !== 'rss' && name !== 'rdf:RDF') throw new SyntaxError('The answer is not a feed.');
  const [channel = {}] = isAtom ? [root] : elementsOf(root, 'channel');
  const link = linkOf(channel, null);
  const shared = { link, author: isAtom ? authorOf(channel) : null, isAtom };
  // RSS 1.0 has its items beside the channel.
  const items = isAtom
    ? elementsOf(root, 'entry')
    : [...elementsOf(channel, 'item'), ...elementsOf(root, 'item')];
  return {
    title: titleOf(channel, isAtom),
    link,
    description: htmlOf(elementsOf(channel, isAtom ? 'subtitle' : 'description')[0], isAtom),
    items: items.map((item) => itemOf(item, shared)),
  };
}
