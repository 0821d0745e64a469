import type { SearchPiece } from '@datadeck/contract';
import { folded, isUnspaced, wordsIn } from './words.ts';

/** Length of an excerpt, and of the text before its first match, UTF-16 units. */
const EXCERPT_LENGTH = 220;
const LEAD_LENGTH = 60;
/** A word may be this much longer than a stem to count as one of its forms. */
const MAX_ENDING = 4;
const MIN_STEM = 3;

/** Characters without width that end no word; a shown excerpt needs none of them. */
const NO_WIDTH = /(?:\u034f|[\u00ad\u180e\u200b\u2060\ufeff])+/g;
/** Words to mark in texts, from the lexemes of a query: words, and stems with a `~`. Also words that have one of `parts`. */
export class SearchMarker {
  readonly #words: ReadonlySet<string>;
  readonly #stems: readonly string[];
  readonly #unspaced: readonly string[];
  readonly #parts: readonly string[];

  constructor(lexemes: readonly string[], parts: readonly string[] = []) {
    this.#parts = parts.map(folded);
    this.#words = new Set(lexemes.map(folded));
    this.#stems = lexemes.filter((one) => one.startsWith('~')).map((one) => folded(one.slice(1)));
    this.#unspaced = lexemes.filter((one) => isUnspaced(one));
  }

  #isMatch(word: string): boolean {
    const plain = folded(word);
    if (this.#words.has(plain) || this.#parts.some((part) => plain.includes(part))) return true;
    return this.#stems.some(
      (stem) => stem.length >= MIN_STEM && plain.startsWith(stem) && plain.length <= stem.length + MAX_ENDING,
    );
  }

  /** Yields the ranges of matches, from the first on. */
  *#ranges(text: string): Generator<{ from: number; to: number }> {
    for (const { 0: word, index } of wordsIn(text)) {
      if (isUnspaced(word)) yield* this.#rangesInside(word, index);
      else if (this.#isMatch(word)) yield { from: index, to: index + word.length };
    }
  }

  /** Returns the ranges of matches inside of a text without spaces. @param offset of that text */
  #rangesInside(text: string, offset: number): { from: number; to: number }[] {
    const ranges: { from: number; to: number }[] = [];
    for (const part of this.#unspaced)
      for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length))
        ranges.push({ from: offset + at, to: offset + at + part.length });
    return ranges.sort((a, b) => a.from - b.from);
  }

  /** Splits a text at its matches. */
  mark(text: string): SearchPiece[] {
    const pieces: SearchPiece[] = [];
    let end = 0;
    for (const { from, to } of this.#ranges(text)) {
      if (to <= end) continue;
      const start = Math.max(from, end);
      const last = pieces.at(-1);
      if (start > end) pieces.push({ text: text.slice(end, start), isMatch: false });
      // Matches without a gap, e.g. the pairs of characters of a Chinese word, are one piece.
      if (start === end && last) last.text += text.slice(start, to);
      else pieces.push({ text: text.slice(start, to), isMatch: true });
      end = to;
    }
    if (end < text.length) pieces.push({ text: text.slice(end), isMatch: false });
    return pieces;
  }

  /** Cuts a part with the first match out of a long text, with single spaces, and splits it at its matches. */
  excerpt(text: string): SearchPiece[] {
    const line = text.replace(NO_WIDTH, '').replace(/\s+/g, ' ').trim();
    const first = this.#ranges(line).next().value?.from ?? 0;
    const wanted = Math.max(0, first - LEAD_LENGTH);
    const blank = line.indexOf(' ', wanted);
    // Texts of some scripts have no blanks, so that none may be before the match.
    const start = wanted > 0 && blank >= 0 && blank < first ? blank + 1 : wanted;
    const cut = line.slice(start, start + EXCERPT_LENGTH).toWellFormed();
    const shown = `${start > 0 ? '… ' : ''}${cut}${start + cut.length < line.length ? ' …' : ''}`;
    return this.mark(shown);
  }
}
