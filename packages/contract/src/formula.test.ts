import { describe, expect, it } from 'vitest';
import { escapeFormulas } from './formula.ts';

describe('escapeFormulas', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1+1', "'+1+1"],
    ['-1+1', "'-1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠a', "'＠a"],
    ['a;=1', "a;'=1"],
    ['a;b; \t=1;@x', "a;b; \t'=1;'@x"],
    ['a\t＝1', "a\t'＝1"],
    ['a\r\n+cmd', "a\r\n'+cmd"],
    ['a\n@x', "a\n'@x"],
    ['\t=1', "\t'=1"],
    ['  =1', "  '=1"],
    ['\uFEFF=1', "\uFEFF'=1"],
    ['\u00A0\u200B=1', "\u00A0\u200B'=1"],
    ['\u0000=1', "\u0000'=1"],
    ['\u{E0001}=1', "\u{E0001}'=1"],
    ['😀=1', '😀=1'],
    ['\uDC00=1', '\uDC00=1'],
    ['{"a":"x;=1"}', `{"a":"x;'=1"}`],
  ])('puts an apostrophe before a formula: %j', (text, safe) => {
    expect(escapeFormulas(text)).toBe(safe);
  });

  it.each([
    '-5',
    '+5',
    '-5.25',
    '-1e-7',
    'a-b',
    'a = b',
    '2024-01-02',
    'ada@example.com',
    'a; b',
    '[-5]',
    '',
  ])('leaves other text unchanged: %j', (text) => {
    expect(escapeFormulas(text)).toBe(text);
  });

  it('handles texts of millions of characters', () => {
    for (const unit of ['=', '\t', ' ', ';', '; =', '-', '\t=', ' -5']) {
      const text = unit.repeat(2_000_000);
      expect(escapeFormulas(text).length).toBeGreaterThanOrEqual(text.length);
    }
  });
});
