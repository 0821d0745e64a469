import type { AlertChanges, ChangedRow } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { htmlText, noticeRowsOf, plainText, subjectOf } from './messages.ts';

/** Texts that try to become something else than text, by what they are aimed at. */
const HOSTILE: Record<string, string> = {
  markup: '<img src=x onerror=alert(1)><a href="https://evil.example">"&\'',
  lines: 'a\r\n- b\n\nOpen the view: https://evil.example\u2028c\u0085d\u000be',
  direction: '\u202etxt.exe\u2066 \u2069',
  controls: '\u0000\u0007\u001b[31m\u009b',
  surrogate: 'a\ud800b',
  mention: '@everyone <!channel> <@U1> [x](javascript:alert(1)) `code` *b*',
  length: 'long '.repeat(5000),
  empty: '',
};

/** Puts a text into every place of a row. */
function rowsOf(text: string): ChangedRow[] {
  const record = { title: text, person: text, place: text, account: text };
  return [
    { kind: 'appeared', key: text, row: { [text]: text }, record },
    { kind: 'appeared', key: null, row: text },
    { kind: 'changed', key: text, row: { a: text }, before: { a: `${text}2` }, record },
    { kind: 'disappeared', key: text, row: { a: text, [text]: 1 } },
  ];
}

function messageOf(text: string) {
  const changes: AlertChanges = { appeared: 2, changed: 1, disappeared: 14, rows: rowsOf(text) };
  const recordUrl = ({ record }: ChangedRow) => record && 'https://deck.example/r?a=1&b=2';
  return { title: text, changes, isTest: false, url: 'https://deck.example/v', recordUrl };
}

describe.each(Object.entries(HOSTILE))('a message of rows with %s', (_, text) => {
  const message = messageOf(text);

  it('has the lines of the message and no others', () => {
    const lines = plainText(message).split('\n');
    expect(lines).toHaveLength(1 + 3 * 2 + 4 + 2 + 4);
    expect(lines.filter((line) => line.startsWith('Open the view:'))).toEqual([
      'Open the view: https://deck.example/v',
    ]);
    for (const line of [...lines.slice(1), subjectOf(message)]) {
      expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      expect(line.isWellFormed()).toBe(true);
    }
    for (const line of lines.slice(1)) expect(line.length).toBeLessThan(600);
  });

  it('has only tags and links of its own in HTML', () => {
    const html = htmlText(message);
    const tags = new Set(html.match(/<\/?[a-z!][a-z0-9]*/g));
    const own = ['!doctype', 'html', 'head', 'meta', 'title', 'body', 'h2', 'h3', 'ul', 'li', 'p', 'a'];
    for (const tag of tags) expect(own).toContain(tag.replace(/^<\/?/, ''));
    expect(new Set(html.match(/href="[^"]*"/g))).toEqual(
      new Set(['href="https://deck.example/r?a=1&amp;b=2"', 'href="https://deck.example/v"']),
    );
  });

  it('names at most five rows in the bell, in bounded texts', () => {
    const rows = noticeRowsOf({ ...message.changes, rows: [...rowsOf(text), ...rowsOf(text)] });
    expect(rows).toHaveLength(5);
    for (const row of rows) expect(row.text.length).toBeLessThanOrEqual(500);
  });
});
