import { describe, expect, it } from 'vitest';
import { decode } from './decode.ts';
import type { Feed, FeedItem } from './feed.ts';

const read = (text: string) => decode('feed', Buffer.from(text)) as Feed;
const rssWith = (item: string, channel = '') =>
  `<rss version="2.0"><channel><title>T</title>${channel}<item>${item}</item></channel></rss>`;
const atomWith = (entry: string, head = '') =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>${head}<entry>${entry}</entry></feed>`;
const itemOf = (text: string) => read(text).items[0] as FeedItem;

const BLOG = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
  <title>Notes &amp; Code</title>
  <atom:link href="https://blog.example/feed/" rel="self" type="application/rss+xml" />
  <link>https://blog.example</link>
  <description>What we build</description>
  <item>
    <title>Don&#8217;t panic &amp;amp; carry on</title>
    <link>https://blog.example/panic/?a=1&amp;b=2</link>
    <dc:creator><![CDATA[Ada]]></dc:creator>
    <pubDate>Mon, 02 Mar 2026 09:00:00 -0500</pubDate>
    <category><![CDATA[Tools]]></category>
    <category domain="https://blog.example/topics">Life</category>
    <guid isPermaLink="false">https://blog.example/?p=12</guid>
    <description><![CDATA[<p>Short &#8230;</p>]]></description>
    <content:encoded><![CDATA[<p>Long<br>text</p>]]></content:encoded>
  </item>
</channel></rss>`;

const RELEASES = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" xml:lang="en-US">
  <id>tag:code.example,2008:/acme/box/releases</id>
  <link type="text/html" rel="alternate" href="https://code.example/acme/box/releases"/>
  <link type="application/atom+xml" rel="self" href="https://code.example/acme/box/releases.atom"/>
  <title>Release notes from box</title>
  <subtitle>1 &lt; 2</subtitle>
  <author><name>acme</name></author>
  <entry>
    <id>tag:code.example,2008:Repository/1/v2</id>
    <updated>2026-03-02T09:00:00.125+01:00</updated>
    <link rel="enclosure" href="https://code.example/a.zip"/>
    <link rel="alternate" type="text/html" href="/acme/box/releases/tag/v2"/>
    <title type="html">v2 &lt;b&gt;R&amp;amp;D&lt;/b&gt;</title>
    <content type="html">&lt;p&gt;Fixes&lt;/p&gt;</content>
    <author><name>octo</name></author>
    <author><name>cat</name></author>
    <media:thumbnail height="30" width="30" url="https://code.example/o.png"/>
  </entry>
  <entry>
    <id>urn:1</id>
    <published>2026-03-01T00:00:00Z</published>
    <title>plain &lt;b&gt;</title>
    <summary>a &lt; b</summary>
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Hi <b title="&quot;x">&amp;</b><br/>you</div></content>
    <category term="t" label="Label"/><category term="term"/>
  </entry>
</feed>`;

const RDF = `<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
  xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel rdf:about="https://old.example/rss"><title>Old</title><link>https://old.example/</link>
    <description>d</description><items><rdf:Seq><rdf:li resource="https://old.example/1"/></rdf:Seq></items></channel>
  <item rdf:about="https://old.example/1"><title>One</title><link>https://old.example/1</link>
    <dc:date>2026-03-02</dc:date><dc:subject>s</dc:subject><dc:creator>Ada</dc:creator></item>
</rdf:RDF>`;

describe('readFeed', () => {
  it('reads RSS 2.0 with its usual modules', () => {
    expect(read(BLOG)).toEqual({
      title: 'Notes & Code',
      link: 'https://blog.example/',
      description: 'What we build',
      items: [
        {
          id: 'https://blog.example/?p=12',
          title: 'Don’t panic & carry on',
          link: 'https://blog.example/panic/?a=1&b=2',
          author: 'Ada',
          published: '2026-03-02T14:00:00.000Z',
          updated: null,
          summary: '<p>Short &#8230;</p>',
          content: '<p>Long<br>text</p>',
          categories: ['Tools', 'Life'],
        },
      ],
    });
  });

  it('reads Atom with texts, HTML and XHTML', () => {
    expect(read(RELEASES)).toEqual({
      title: 'Release notes from box',
      link: 'https://code.example/acme/box/releases',
      description: '1 &lt; 2',
      items: [
        {
          id: 'tag:code.example,2008:Repository/1/v2',
          title: 'v2 R&D',
          link: 'https://code.example/acme/box/releases/tag/v2',
          author: 'octo, cat',
          published: null,
          updated: '2026-03-02T08:00:00.125Z',
          summary: null,
          content: '<p>Fixes</p>',
          categories: [],
        },
        {
          id: 'urn:1',
          title: 'plain <b>',
          link: null,
          author: 'acme',
          published: '2026-03-01T00:00:00.000Z',
          updated: null,
          summary: 'a &lt; b',
          content: '<div xmlns="http://www.w3.org/1999/xhtml">Hi <b title="&quot;x">&amp;</b><br>you</div>',
          categories: ['Label', 'term'],
        },
      ],
    });
  });

  it('reads RSS 1.0, whose items are beside the channel', () => {
    const { title, items } = read(RDF);
    expect(title).toBe('Old');
    expect(items).toMatchObject([
      {
        id: 'https://old.example/1',
        published: '2026-03-02T00:00:00.000Z',
        categories: ['s'],
        author: 'Ada',
      },
    ]);
  });

  it('reads RSS 0.91 with its document type, and a channel without items', () => {
    const doctype =
      '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://my.netscape.com/rss-0.91.dtd">';
    const { items } = read(
      `${doctype}<rss version="0.91"><channel><item><title>a&nbsp;b &eacute;</title></item></channel></rss>`,
    );
    expect(items).toMatchObject([{ title: 'a b é', id: null }]);
    expect(read('<rss><channel/></rss>').items).toEqual([]);
    expect(read('<rss/>').items).toEqual([]);
    expect(read('<feed/>')).toEqual({ title: '', link: null, description: null, items: [] });
  });

  it.each([
    ['Mon, 02 Mar 2026 09:00:00 GMT', '2026-03-02T09:00:00.000Z'],
    ['2 Mar 26 09:00 EST', '2026-03-02T14:00:00.000Z'],
    ['Mon, 02 Mar 2026 09:00:00 +0530', '2026-03-02T03:30:00.000Z'],
    ['2026-03-02T09:00:00', '2026-03-02T09:00:00.000Z'],
    ['2026-03-02 09:00:00', '2026-03-02T09:00:00.000Z'],
    ['2026-03-02T09:00Z', '2026-03-02T09:00:00.000Z'],
    ['2026-03-02T25:00:00Z', null],
    ['2026-02-30', null],
    ['0000-00-00', null],
    ['yesterday', null],
    ['', null],
    ['9'.repeat(500), null],
  ])('reads the date %s as %s', (text, expected) => {
    expect(itemOf(rssWith(`<pubDate>${text}</pubDate>`)).published).toBe(expected);
    expect(itemOf(atomWith(`<published>${text}</published>`)).published).toBe(expected);
  });

  it.each([
    ['<guid>https://a.example/1</guid>', 'https://a.example/1', 'https://a.example/1'],
    ['<guid isPermaLink="false">https://a.example/1</guid>', 'https://a.example/1', null],
    ['<guid>1</guid><link>/b</link>', '1', 'https://news.example/b'],
    ['<link>b?x=1</link>', 'https://news.example/a/b?x=1', 'https://news.example/a/b?x=1'],
    ['<link>javascript:alert(1)</link>', null, null],
    ['<link>http://[</link><guid>g</guid>', 'g', null],
    ['<title>x</title>', null, null],
  ])('identifies the item %s by %s and links to %s', (item, id, link) => {
    expect(itemOf(rssWith(item, '<link>https://news.example/a/</link>'))).toMatchObject({ id, link });
  });

  it('resolves no relative link against a relative or missing one of the feed', () => {
    for (const link of ['', '<link>/news</link>', '<link>news.example</link>'])
      expect(itemOf(rssWith('<link>/b</link>', link)).link).toBeNull();
    expect(
      itemOf(atomWith('<link href="/b"/>', '<link rel="self" href="https://a.example/f"/>')).link,
    ).toBeNull();
  });

  it('passes over missing end tags and bare ampersands', () => {
    const text = rssWith('<title>R&D <br> x</title><link>https://a.example/?a=1&b=2</link><guid>g</guid>');
    expect(itemOf(text)).toMatchObject({ id: 'g', link: 'https://a.example/?a=1&b=2' });
  });

  it.each(['<opml/>', '<a><rss/></a>', '<urlset><url/></urlset>', '[]', ''])(
    'refuses %s, which is no feed',
    (text) => {
      expect(() => read(text)).toThrow(SyntaxError);
    },
  );
});
