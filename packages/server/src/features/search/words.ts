/*
 * What a word is, as the index has it. PostgreSQL splits texts in the same way (`search_terms`), which words.test.ts checks.
 */

/** Matches a character of scripts without spaces between words: Thai, Lao, Burmese, Khmer, Chinese, Japanese, and Korean. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]/;
/**
 * Matches a word: a run of characters of those scripts; other letters, also with characters that nobody sees, e.g. soft
 * hyphens, and numbers with dots; and emoji.
 */
const WORD =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]+|(?:(?![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff])[\p{L}\p{N}\p{M}\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff])+(?:(?<=\p{N})\.(?=\p{N})(?:(?![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff])[\p{L}\p{N}\p{M}\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff])+)*|\p{Extended_Pictographic}/gu;

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
const FOLDED_AWAY = /[\p{M}\u0640\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** Returns a text in lower case without accents, as the index stores words. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(FOLDED_AWAY, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħı]/g, (letter) => REPLACED[letter] ?? letter);
}
