/** Characters that start a formula in a spreadsheet, including full-width forms. */
const SIGN = /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;
const ALL_SIGNS = /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/g;
/** Plain numbers, e.g. `-5` or `+1.5e3`, are not formulas. */
const NUMBER = /^[+-]?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,5})?$/;
/** Separators after which a spreadsheet starts a new cell, even inside a quoted text. */
const SEPARATORS = ';\t\r\n';
/** Characters that a spreadsheet ignores at the start of a cell. */
const BLANK = /[\s\p{Cc}\p{Cf}]/u;
const LOW_SURROGATE = /[\uDC00-\uDFFF]/;

/** Returns whether a cell starts at the index: only blanks precede it, up to a separator or the start of the text. */
function isCellStart(text: string, index: number): boolean {
  for (let position = index - 1; position >= 0; position--) {
    const isPair = position > 0 && LOW_SURROGATE.test(text.charAt(position));
    const char = isPair ? text.slice(position - 1, position + 1) : text.charAt(position);
    if (isPair) position--;
    if (SEPARATORS.includes(char)) return true;
    if (!BLANK.test(char)) return false;
  }
  return true;
}

/**
 * Escapes formulas (CSV injection): inserts an apostrophe before each sign that could start a formula, at the start of the
 * text and after `;`, tab or line break, where programs with other separators start a cell. Takes linear time.
 *
 *     escapeFormulas('=1+1')     // "'=1+1"
 *     escapeFormulas('a;=1')     // "a;'=1"
 *     escapeFormulas('-5')       // "-5", because the whole text is a number
 *     escapeFormulas('a;-5')     // "a;'-5"
 */
export function escapeFormulas(text: string): string {
  if (!SIGN.test(text) || NUMBER.test(text)) return text;
  return text.replace(ALL_SIGNS, (sign, index: number) => (isCellStart(text, index) ? `'${sign}` : sign));
}
