import { declarativeConnector } from '../../src/declarative/index.ts';
import { shippedDocument } from '../../src/declarative/shipped/index.ts';
import type { ConformanceSubject } from '../conformance/index.ts';
import {
  type EmulatedService,
  type ServiceAnswer,
  type ServiceRequest,
  type ServiceTraits,
  serviceSubject,
} from './service.ts';
import { inTurn, Timeline } from './timeline.ts';

const RECORDS = 61;

interface Entry {
  id: string;
  at: number;
  updatedAt: number;
  title: string;
  /** XML in the place of the elements that an entry has. */
  elements?: string;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Formats a time as RSS does: `Thu, 01 Jan 2026 01:00:00 GMT`. */
function rssTime(at: number): string {
  return new Date(at).toUTCString();
}

function rssItem({ id, at, title, elements }: Entry): string {
  const content = `<p>Words of <b>${escapeXml(title)}</b> &amp; more</p>`;
  const own = `<title>${escapeXml(title)}</title>
    <link>https://blog.example/${id}</link>
    <pubDate>${rssTime(at)}</pubDate>
    <dc:creator><![CDATA[${inTurn(['Ada', 'Ben'], id.length)}]]></dc:creator>
    <category>News</category><category><![CDATA[R&D]]></category>
    <description>${escapeXml(content)}</description>
    <content:encoded><![CDATA[${content}]]></content:encoded>`;
  return `<item><guid isPermaLink="false">${id}</guid>${elements ?? own}</item>`;
}

function rssFeed(entries: readonly Entry[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:atom="http://www.w3.org/2005/Atom">
<channel><title>Harbor &amp; Sea</title><link>https://blog.example/</link><description>News</description>
<atom:link href="https://blog.example/feed.xml" rel="self" type="application/rss+xml"/>
${entries.map(rssItem).join('\n')}
</channel></rss>`;
}

function atomEntry({ id, at, updatedAt, title, elements }: Entry): string {
  const own = `<title type="html">${escapeXml(escapeXml(title))}</title>
    <link rel="alternate" type="text/html" href="/${id}"/><link rel="edit" href="/edit/${id}"/>
    <published>${new Date(at).toISOString()}</published>
    <author><name>Ada</name><uri>https://blog.example/ada</uri></author>
    <category term="news" label="News"/>
    <summary>Words</summary>
    <content type="html">${escapeXml(`<p>Words of ${escapeXml(title)}</p>`)}</content>`;
  return `<entry><id>${id}</id><updated>${new Date(updatedAt).toISOString()}</updated>${elements ?? own}</entry>`;
}

function atomFeed(entries: readonly Entry[]): string {
  return `<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbor</title><id>urn:harbor</id>
<link rel="self" href="https://blog.example/feed.atom"/><link href="https://blog.example/"/>
<updated>2026-01-01T00:00:00Z</updated>
${entries.map(atomEntry).join('\n')}
</feed>`;
}

/** Elements in the place of those of an entry. */
const ODDITIES: Readonly<Record<string, string>> = {
  'only-a-guid': '',
  'unreadable-date': '<title>Soon</title><pubDate>soon</pubDate><published>soon</published>',
  'empty-elements': '<title/><link/><author/><category/><description/><content/>',
  'odd-markup':
    '<title>A &lt; B &#x1F600; &amp;amp; &nbsp;</title><description>&lt;p&gt;no end</description>',
};
const FEED_ODDITIES = Object.keys(ODDITIES);

/** A blog with a feed at `/feed.xml`. Entries of RSS do not change. */
class Blog implements EmulatedService {
  readonly #isAtom: boolean;
  readonly #timeline = new Timeline();
  #entries: Entry[] = [];

  constructor(isAtom: boolean) {
    this.#isAtom = isAtom;
    for (let index = 0; index < RECORDS; index++) this.#add();
    if (isAtom) this.changes.update = (id) => this.#change(id);
  }

  #add(elements?: string): string {
    const number = this.#entries.length + 1;
    const at = this.#timeline.next();
    const id = `entry-${String(number).padStart(4, '0')}`;
    this.#entries.push({
      id,
      at,
      updatedAt: at,
      title: `Entry <${number}>`,
      ...(elements !== undefined && { elements }),
    });
    return id;
  }

  #change(id: string): void {
    const updatedAt = this.#timeline.next();
    this.#entries = this.#entries.map((entry) =>
      entry.id === id ? { ...entry, title: 'Changed', updatedAt } : entry,
    );
  }

  readonly changes: { insert(): string; update?(id: string): void } = { insert: () => this.#add() };

  insertOddity(name: string): string {
    return this.#add(ODDITIES[name]);
  }

  listIds(): string[] {
    // Odd entries of RSS have no date, and are the oldest.
    const isDated = ({ elements }: Entry) => elements === undefined || this.#isAtom;
    const [dated, undated] = [true, false].map((is) =>
      this.#entries.filter((entry) => isDated(entry) === is),
    );
    return [...(undated ?? []), ...(dated ?? [])].map(({ id }) => id).reverse();
  }

  answer({ path }: ServiceRequest): ServiceAnswer {
    if (path !== '/feed.xml') return NOT_FOUND;
    return this.#isAtom
      ? { status: 200, body: atomFeed(this.#entries), headers: { 'content-type': 'application/atom+xml' } }
      : { status: 200, body: rssFeed(this.#entries), headers: { 'content-type': 'text/xml; charset=utf-8' } };
  }
}

const HTML = { 'content-type': 'text/html' };
const NOT_FOUND: ServiceAnswer = { status: 404, body: '<h1>Not Found</h1>', headers: HTML };

function traits(isAtom: boolean): ServiceTraits {
  return {
    create: () => new Blog(isAtom),
    isAuthorized: ({ headers }) => headers.authorization === undefined,
    unauthorized: { status: 401, body: '<h1>Unauthorized</h1>', headers: HTML },
    tooMany: () => ({ status: 429, body: '', headers: { 'retry-after': '30' } }),
    notFound: NOT_FOUND,
    connect: (_url, unitsPerMinute) =>
      declarativeConnector(shippedDocument('feeds'), { hosts: ['127.0.0.1'], unitsPerMinute }),
    form: (url) => ({ address: `${url}/feed.xml` }),
  };
}

/** Returns the conformance subject of a feed of RSS or Atom. */
export function feedSubject(format: 'RSS' | 'Atom'): ConformanceSubject {
  return {
    ...serviceSubject(traits(format === 'Atom'), {
      entity: 'feeds-entries',
      settings: {},
      isIncremental: true,
      exempt: { 'several-pages': 'a feed is one answer' },
      sinceTimeOf: ({ columns, occurredAt }) => Number(columns.changed_at ?? occurredAt),
      oddities: FEED_ODDITIES,
    }),
    name: `feeds-entries of ${format}`,
  };
}
