import { describe, expect, it } from 'vitest';
import { estimateHeight } from './frame-height.ts';

/** Estimates the height of HTML in a frame of 700 px, which has 100 characters in a line. */
function heightOf(html: string): number {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return estimateHeight(body, 700);
}

const LINE = 21;

describe('estimateHeight', () => {
  it.each([
    ['nothing', '', 0],
    ['a line', 'Hello', LINE],
    ['a long text', 'word '.repeat(100), 5 * LINE],
    ['blanks between elements', '<div>a</div>\n   <div>b</div>\n', 2 * LINE],
    ['line breaks', 'a<br>b<br><br>c', 4 * LINE],
    ['inline elements', '<b>a</b> <i>b</i> <a href="x">c</a>', LINE],
    ['paragraphs', '<p>a</p><p>b</p>', 2 * (LINE + 14)],
    ['code', '<pre>a\nb\n\nc</pre>', 4 * LINE + 38],
    ['a table', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 14 + 2 * (LINE + 9)],
    ['a folded text', `<details><summary>More</summary>${'<p>x</p>'.repeat(50)}</details>`, 14 + LINE],
    ['an unfolded text', '<details open><summary>More</summary><p>x</p></details>', 14 + LINE + 14 + LINE],
    ['an image', '<img src="data:," height="40">', 40],
    ['an image that says no height', '<img src="data:,">', 150],
  ])('of %s', (_, html, expected) => {
    expect(heightOf(html)).toBe(expected);
  });

  it('ends for hostile documents', () => {
    expect(heightOf('<p>x'.repeat(100_000))).toBe(4000);
    expect(heightOf('<br>'.repeat(100_000))).toBe(4000);
    expect(heightOf(`${'<b>'.repeat(500)}x`)).toBe(LINE);
    expect(heightOf('<b></b>'.repeat(100_000))).toBe(4000);
    expect(heightOf('<img height="999999999">')).toBe(4000);
    expect(heightOf('<img height="-5000">a')).toBeGreaterThanOrEqual(0);
  });
});
