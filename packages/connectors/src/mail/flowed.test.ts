import { describe, expect, it } from 'vitest';
import { unflow } from './flowed.ts';

describe('unflow', () => {
  it.each([
    ['one \ntwo\nthree', 'one two\nthree'],
    ['one \r\ntwo\r\n', 'one two\n'],
    ['> a \n> b?\n\nyes \nno', '> a b?\n\nyes no'],
    ['> a \n>> b \n>> c\n> d', '> a \n>> b c\n> d'],
    ['>> a \n>>b', '>> a b'],
    [' >not quoted\n From x', '>not quoted\nFrom x'],
    ['text \n-- \nAda', 'text \n-- \nAda'],
    ['> text \n> -- \n> Ada', '> text \n> -- \n> Ada'],
    ['', ''],
    ['>', '> '],
  ])('joins the lines of %j', (text, joined) => expect(unflow(text, false)).toBe(joined));

  it('deletes the space of a flowed line with DelSp=yes', () => expect(unflow('東 \n京', true)).toBe('東京'));

  it.each(['>', ' ', '> \n', ' \n', '-- \n', '\r'])(
    'joins a text that repeats %j in linear time',
    (piece) => {
      const start = performance.now();
      unflow(piece.repeat(500_000), true);
      expect(performance.now() - start).toBeLessThan(4000);
    },
  );
});
