import { describe, expect, it } from 'vitest';
import { hostileMails } from '../../../test-support/hostile-html.ts';
import { expectSafePage } from '../../../test-support/safe-page.ts';
import { readMailPage } from '../page-reading.ts';
import { PAGE_LENGTH, writeMailPage } from './page.ts';
import { MAX_ELEMENTS } from './page-writer.ts';

const htmlOf = (html: string) => writeMailPage(html).html;

function expectSafe(source: string): void {
  const page = writeMailPage(source);
  expectSafePage(page);
  if (page.isCutOff) expect(source.length).toBeGreaterThan(1000);
}

describe('writeMailPage', () => {
  it.each([
    ['<p>one<p>two', '<p>one</p><p>two</p>'],
    ['<p><b>x<div>y</div>z', '<p><b>x</b></p><div><b>y</b></div><b>z</b>'],
    ['<b><p>x</b>y</p>', '<b><p>x</p></b><p>y</p>'],
    ['<b><i>x</b>y</i>z', '<b><i>x</i></b><i>y</i>z'],
    [
      '<a href="http://a.example">x<a href="http://b.example">y</a>',
      '<a href="http://a.example">x</a><a href="http://b.example">y</a>',
    ],
    ['<nobr>x<nobr>y', '<nobr>x</nobr><nobr>y</nobr>'],
    ['<h1>x<h2>y</h1>z', '<h1>x</h1><h2>y</h2>z'],
    ['<ul><li>a<li>b<ul><li>c</ul><li>d', '<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>'],
    ['<dl><dt>a<dd>b<dt>c', '<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>'],
    [
      '<table><tr><td>a<td>b<tr><th>c</table>d',
      '<table><tbody><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></tbody></table>d',
    ],
    ['<table>x<tr><td>y', '<table><tbody><tr><td>x</td></tr><tr><td>y</td></tr></tbody></table>'],
    ['<table><td><b>x<td>y</table>z', '<table><tbody><tr><td><b>x</b></td><td>y</td></tr></tbody></table>z'],
    [
      '<table><col><caption>x<tr><td>y',
      '<table><colgroup><col></colgroup><caption>x</caption><tbody><tr><td>y</td></tr></tbody></table>',
    ],
    ['<td>x</td><tr>', 'x'],
    ['</p></br></div></b>', '<p></p><br>'],
    ['<pre>\n\n x', '<pre> x</pre>'],
    ['<IMAGE SRC="https://x.example/a" alt=\'a"b\'>', '<img src="https://x.example/a" alt="a&quot;b">'],
    ['a &lt;b&gt; &amp; &nbsp;&eacute;&#8364;\r\nb\0', 'a &lt;b&gt; &amp; &nbsp;é€\nb'],
  ])('writes %s as browsers read it', (html, expected) => {
    expect(htmlOf(html)).toBe(expected);
    expectSafe(html);
  });

  const folded = (html: string) => `<details><summary>Show quoted text</summary>${html}</details>`;
  it.each([
    ['a<blockquote>b<blockquote>c', `a<blockquote>${folded('b<blockquote>c</blockquote>')}</blockquote>`],
    [
      'a<div class="x gmail_quote">On Monday<blockquote class="gmail_quote">b</blockquote></div><br> ',
      `a<div>${folded('On Monday<blockquote>b</blockquote>')}</div><br> `,
    ],
    ['a<blockquote>b</blockquote>c', 'a<blockquote>b</blockquote>c'],
    [
      'a<blockquote>b</blockquote>c<blockquote>d',
      `a<blockquote>b</blockquote>c<blockquote>${folded('d')}</blockquote>`,
    ],
    ['<blockquote>b', '<blockquote>b</blockquote>'],
    [
      'a<div class=gmail_quote>---------- Forwarded message<br>b',
      'a<div>---------- Forwarded message<br>b</div>',
    ],
    ['a<blockquote>b</details>c', 'a<blockquote>bc</blockquote>'],
  ])('folds the quote at the end of %s', (html, expected) => {
    expect(htmlOf(html)).toBe(expected);
    expectSafe(html);
  });

  it('writes thousands of quotes in bounded time', () => {
    for (const html of ['a<blockquote></blockquote>', '<blockquote>a', '<blockquote>a</blockquote>'])
      expectSafe(`a${html.repeat(20_000)}`);
  });

  it.each([
    '<script>x</script>',
    '<style>x</style>',
    '<title>x</title>',
    '<svg><p>x</p></svg>',
    '<math><mi>x</mi></math>',
    '<template><p>x</template>',
    '<noscript><p>x</noscript>',
    '<iframe>x</iframe>',
    '<xmp><b>x</xmp>',
    '<!-- x --><!x><?x>',
  ])('leaves out %s', (html) => {
    expect(htmlOf(`${html}<p>y</p>`)).toBe('<p>y</p>');
  });

  it.each(['<plaintext>x', '<script>x', '<style>x', '<!-- x', '<p title="x', '<svg>x', '<![CDATA[ x'])(
    'ends at %s, which is not closed',
    (html) => {
      expect(htmlOf(`<p>y</p>${html}</p><b>z`)).toBe('<p>y</p>');
    },
  );

  it('keeps the text of elements that it does not know', () => {
    expect(htmlOf('<form><button>a</button><select><option>b</select><o:p>c</o:p></form>')).toBe('abc');
  });

  it('limits the cells that a mail spans', () => {
    const html = htmlOf(`<table>${'<td colspan="900" rowspan="900">x'.repeat(100)}<td colspan="2">`);
    expect(html.match(/span="900"/g)).toBeNull();
    expect(html).toContain('colspan="2"');
  });

  it('keeps blocks apart after many formatting elements without an end', () => {
    expect(htmlOf(`${'<font size="2">'.repeat(500)}<p>x<p>y`)).toContain('<p>x</p><p>y</p>');
  });

  it('cuts a page at its maxima and reports it', () => {
    for (const html of [
      '<br>'.repeat(MAX_ELEMENTS + 1),
      'x'.repeat(PAGE_LENGTH + 1),
      '&'.repeat(PAGE_LENGTH),
    ])
      expect(writeMailPage(html).isCutOff).toBe(true);
    expect(writeMailPage('<br>'.repeat(MAX_ELEMENTS)).isCutOff).toBe(false);
    expect(htmlOf('💥'.repeat(PAGE_LENGTH))).toBe('💥'.repeat(PAGE_LENGTH / 2));
  });

  it.each([...hostileMails(100)].map(({ name, html }) => [name, html]))('bounds %s', (_, html) => {
    expectSafe(html);
  });

  it('reads large pages in a thread', async () => {
    const html = '<b><p>x</p></b>'.repeat(2000);
    expect(await readMailPage(html)).toEqual(writeMailPage(html));
  });
});
