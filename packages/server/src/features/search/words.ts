/*
 * What a word is, as the index has it. PostgreSQL splits texts in the same way (`search_terms`), which words.test.ts checks.
 */

/** Scripts without spaces between words: Thai, Lao, Burmese, Khmer, Chinese, Japanese and Korean. */
const UNSPACED_SCRIPTS =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3040-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff';
/** Characters that nobody sees, e.g. soft hyphens and marks of direction. */
const INVISIBLE = '\\u00ad\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff';
const LETTERS = `(?:(?![${UNSPACED_SCRIPTS}])[\\p{L}\\p{N}\\p{M}${INVISIBLE}])+`;
const NUMBER_WITH_DOTS = `(?:(?<=\\p{N})\\.(?=\\p{N})${LETTERS})*`;
const WORD = new RegExp(
  `[${UNSPACED_SCRIPTS}]+|${LETTERS}${NUMBER_WITH_DOTS}|\\p{Extended_Pictographic}`,
  'gu',
);
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`);

/** Returns the words of a text with their offsets; text of a script without spaces, up to the next space, is one. */
export function wordsIn(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(WORD);
}

/** Returns whether a word is of a script without spaces, so that matches are inside of it. */
export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word);
}

/** Letters without a decomposition that PostgreSQL's `unaccent` writes with others. */
const REPLACED: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
};
/** Accents, and what the index leaves out of words. */
const FOLDED_AWAY = new RegExp(`[\\p{M}\\u0640${INVISIBLE}]`, 'gu');

/** Returns a text in lower case without accents, as the index stores words. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(FOLDED_AWAY, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħı]/g, (letter) => REPLACED[letter] ?? letter);
}
