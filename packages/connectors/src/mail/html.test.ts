import { describe, expect, it } from 'vitest';
import { textOfHtml } from './html.ts';

const wordsOf = (page: string) => textOfHtml(page).replaceAll(/\s+/g, ' ').trim();

describe('textOfHtml', () => {
  it.each([
    ['Das ist ein &#252;bel gelaunter', 'Das ist ein übel gelaunter'],
    ['&#1055;&#1088;&#x438;&#1074;&#1077;&#1090; &#26481;&#20140;', 'Привет 東京'],
    ['encyclop&aelig;dia &Ouml;l &#246l &amp;amp; &euro;5', 'encyclopædia Öl öl &amp; €5'],
    ['Zusammen&shy;arbeit Kranken&#8203;haus a\u2060b\ufeffc', 'Zusammenarbeit Krankenhaus abc'],
    ['Donau<wbr>dampfer Donau<wbr/>dampfer', 'Donaudampfer Donaudampfer'],
    ['<b>Q</b>uartal <span style="x">Rech</span><i>nung</i>', 'Quartal Rechnung'],
    ['Rech<!-- a > b -->nung', 'Rechnung'],
    ['<p>one</p><p>two</p>three<br>four<td>five', 'one two three four five'],
    ['<a title="a > b">text</a> <p>it\'s > 2', "text it's > 2"],
    ['<title>no</title><style>p > a {}</style>yes', 'yes'],
    ['<small>a</small><section>b</section>', 'a b'],
  ])('reads the words of %j', (page, text) => expect(wordsOf(page)).toBe(text));

  it.each([
    '<',
    '<a',
    '<a "',
    '<a x="',
    "<a x='",
    '<a x="y"',
    '<b>',
    '</b>',
    '<div>',
    '<!--',
    '<!-- -->',
    '<style',
    '<style>',
    '<title>',
    '&',
    '&amp',
    '&#',
    '&#1;',
    '&shy;',
    '\u200b',
    '>',
    '< ',
    '<a x="<a x=\'',
  ])('reads HTML that repeats %j in linear time', (piece) => {
    const start = performance.now();
    for (const end of ['', '>', '"', '">', '-->']) textOfHtml(piece.repeat(262_144 / piece.length) + end);
    expect(performance.now() - start).toBeLessThan(4000);
  });

  it('reads formatting elements in many paragraphs in linear time', () => {
    const page = `${'<b><i><u>'.repeat(5000)}${'<p>x'.repeat(20_000)}`;
    const start = performance.now();
    expect(wordsOf(page).length).toBeGreaterThan(10_000);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});
