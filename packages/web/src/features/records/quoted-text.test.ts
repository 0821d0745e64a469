import { describe, expect, it } from 'vitest';
import { separateQuote } from './quoted-text.ts';

describe('separateQuote', () => {
  it.each([
    ['Yes.\n\nAmy wrote:\n> Come?\n>\n> Amy', 'Yes.\n\nAmy wrote:', '> Come?\n>\n> Amy', ''],
    ['Yes.\n> a\n\n> b\n', 'Yes.', '> a\n\n> b', ''],
    ['Yes.\n> a\n\n-- \nBob', 'Yes.', '> a', '-- \nBob'],
    ['Yes.\n> a\n_______________\nlist', 'Yes.', '> a', '_______________\nlist'],
  ])('separates the quote at the end of %j', (whole, text, quote, rest) => {
    expect(separateQuote(whole)).toEqual({ text, quote, rest });
  });

  it.each(['', 'No quote', '> only a quote', '> a\nAnswer below', 'a\n> b\nc', ' > indented'])(
    'leaves %j as it is',
    (text) => {
      expect(separateQuote(text)).toEqual({ text, quote: '', rest: '' });
    },
  );

  it('takes a time linear in the number of lines', () => {
    const { quote } = separateQuote(`a\n${'>\n \n'.repeat(200_000)}`);
    expect(quote.length).toBeGreaterThan(500_000);
  });
});
