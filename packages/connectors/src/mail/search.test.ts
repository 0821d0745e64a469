import { describe, expect, it } from 'vitest';
import { htmlTextOf } from './search.ts';

describe('text of a mail that has only HTML', () => {
  it('is one line', () => {
    expect(htmlTextOf({ text: '', html: '<p>Gr&uuml;&szlig;e,</p>\n<p>Bo</p>' })).toBe('Grüße, Bo');
  });

  it.each([
    ['a plain text', { text: 'Hello', html: '<p>Hello</p>' }],
    ['no HTML', { text: '' }],
    ['HTML without text', { text: '', html: '<img src="x">' }],
    ['fields of other types', { text: 7, html: ['x'] }],
  ])('is missing with %s', (_, mail) => {
    expect(htmlTextOf(mail)).toBeNull();
  });

  it('is used with a plain text of blanks', () => {
    expect(htmlTextOf({ text: ' \n', html: 'Hello' })).toBe('Hello');
  });

  it.each([
    ['at a word', 'ab '.repeat(30_000), 65_534],
    ['within a word without blanks', 'x'.repeat(70_000), 65_536],
  ])('is cut %s', (_, html, length) => {
    expect(htmlTextOf({ text: '', html })).toHaveLength(length);
  });
});
