import { describe, expect, it } from 'vitest';
import { SearchMarker } from './highlight.ts';

/** Marks a text, with matches in brackets. */
function marked(text: string, lexemes: readonly string[], parts: readonly string[] = []): string {
  const pieces = new SearchMarker(lexemes, parts).mark(text);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  return pieces.map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text)).join('');
}

describe('marking matches', () => {
  it.each([
    ['Die Straße ist lang', ['strasse'], 'Die [Straße] ist lang'],
    ['Zażółć Łódź', ['lodz'], 'Zażółć [Łódź]'],
    ['Ærø und Œuvre', ['aero', 'oeuvre'], '[Ærø] und [Œuvre]'],
    ['İstanbul Iğdır', ['igdir'], 'İstanbul [Iğdır]'],
    ['नमस्ते दुनिया', ['नमस्ते'], '[नमस्ते] दुनिया'],
    ['version v1.2.3 of 3.14', ['v1.2.3'], 'version [v1.2.3] of 3.14'],
    ['the report.pdf.', ['report', 'pdf'], 'the [report].[pdf].'],
    ['soft\u00adhyphen', ['softhyphen'], '[soft\u00adhyphen]'],
    ['rocket🚀launch', ['🚀'], 'rocket[🚀]launch'],
    ['我喜歡iPhone15手機', ['iphone15', '手機'], '我喜歡[iPhone15手機]'],
    ['東京タワーの夜', ['東京', '京タ', 'タワ', 'ワー'], '[東京タワー]の夜'],
    ['invoices and voice', ['~invoic'], '[invoices] and voice'],
    ['an Invoice', [], 'an [Invoice]', ['oice']],
  ])('of %s', (text, lexemes, expected, parts: string[] = []) => {
    expect(marked(text, lexemes, parts)).toBe(expected);
  });
});

describe('an excerpt', () => {
  it.each([
    ['without blanks', '天気'.repeat(3000), '東京'],
    ['with a long word', `${'x'.repeat(3000)}-`, 'report'],
    ['with short words', 'a b c d '.repeat(500), 'report'],
  ])('of a text %s shows the match', (_, before, word) => {
    const pieces = new SearchMarker([word]).excerpt(`${before}${word} ${before}`);

    expect(pieces.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual([word]);
    expect(pieces.map(({ text }) => text).join('').length).toBeLessThanOrEqual(230);
  });
});
