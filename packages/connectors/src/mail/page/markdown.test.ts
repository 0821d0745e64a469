import { describe, expect, it } from 'vitest';
import { hostileMarkdown } from '../../../test-support/hostile-markdown.ts';
import { expectSafePage } from '../../../test-support/safe-page.ts';
import { textOfMarkdown } from '../../sdk/index.ts';
import { MARKDOWN_LENGTH, readMarkdownPage } from '../page-reading.ts';

const htmlOf = async (markdown: string) => (await readMarkdownPage(markdown))?.html.trim();

describe('readMarkdownPage', () => {
  it.each([
    ['# A\n\nb *c*\nd', '<h1>A</h1>\n<p>b <em>c</em><br>\nd</p>'],
    ['~~a~~ `<b>`', '<p><s>a</s> <code>&lt;b&gt;</code></p>'],
    [
      '- [ ] a\n- [x] b\n- c',
      '<ul>\n<li style="list-style-type:none">☐ a</li>\n<li style="list-style-type:none">☑ b</li>\n<li>c</li>\n</ul>',
    ],
    [
      '|a|b|\n|-|:-:|\n|1|2|',
      '<table><thead><tr><th>a</th><th style="text-align:center">b</th></tr></thead><tbody><tr><td>1</td><td style="text-align:center">2</td></tr></tbody></table>',
    ],
    ['```js\na < b\n```', '<pre><code>a &lt; b\n</code></pre>'],
    ['see www.a.example, index.js', '<p>see <a href="http://www.a.example">www.a.example</a>, index.js</p>'],
    ['https://a.example/b_c_', '<p><a href="https://a.example/b_c_">https://a.example/b_c_</a></p>'],
    ['[a](javascript:alert(1)) [b](/c)', '<p><a>a</a> <a>b</a></p>'],
    ['<!-- note -->\n\na<script>x</script>', '<p>a</p>'],
    [
      '<details><summary>a</summary>\n\n**b**\n\n</details>',
      '<details><summary>a</summary>\n<p><strong>b</strong></p>\n</details>',
    ],
  ])('writes %j as GitHub does', async (markdown, html) => {
    expect(await htmlOf(markdown)).toBe(html);
  });

  it('cuts what is longer than the longest text of GitHub, and reports it', async () => {
    expect(await readMarkdownPage('x'.repeat(MARKDOWN_LENGTH))).toMatchObject({ isCutOff: false });
    const page = await readMarkdownPage(`x${'💥'.repeat(MARKDOWN_LENGTH)}`);
    expect(page?.isCutOff).toBe(true);
    expect(page?.html.isWellFormed()).toBe(true);
  });

  it.each([...hostileMarkdown()].map(({ name, markdown }) => [name, markdown]))(
    'bounds %s within the limits of the thread',
    async (_, markdown) => {
      const page = await readMarkdownPage(markdown);
      expect(page).not.toBeNull();
      if (page) expectSafePage(page);
      const start = markdown.slice(0, 20_000);
      expect(textOfMarkdown(start).length).toBeLessThanOrEqual(start.length);
    },
  );
});

describe('textOfMarkdown', () => {
  it.each([
    ['## What *changed*\n- [x] Fix `foo_bar`', ' What changed\n Fix foo_bar'],
    ['> > **bold** and _more_, snake_case_name', ' bold and more, snake_case_name'],
    ['[docs](https://a.example/b "t") ![alt](x) [a][b] [c]', 'docs alt a [c]'],
    ['|a|b|\n|---|---|\n|1|2|', ' a b \n\n 1 2 '],
    ['```js\na = b * c;\n```', '\na = b * c;\n'],
    ['a<!-- fill\nin -->b <br> 1 < 2 <https://a.example>', 'ab   1 < 2 https://a.example'],
    ['2 * 3 ~~x~~ **', '2 * 3 x '],
  ])('leaves out the marks of %j', (markdown, text) => {
    expect(textOfMarkdown(markdown)).toBe(text);
  });
});
