/** What a spreadsheet takes for the begin of a formula, full-width forms included. */
const SIGN = /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;
const SIGNS = /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/g;
/** A text that is a plain number, such as `-5` or `+1.5e3`, is no formula. */
const NUMBER = /^[+-]?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,5})?$/;
/** Separators behind which a spreadsheet begins a new cell, whether or not the text is quoted. */
const SEPARATORS = ';\t\r\n';
/** What a spreadsheet leaves out before the first sign of a cell. */
const BLANK = /[\s\p{Cc}\p{Cf}]/u;

/** Whether a cell begins at the place: nothing but blanks stand between it and a separator or the begin of the text. */
function isCellStart(text: string, place: number): boolean {
  for (let at = place - 1; at >= 0; at--) {
    const mark = text.charAt(at);
    if (SEPARATORS.includes(mark)) return true;
    if (!BLANK.test(mark)) return false;
  }
  return true;
}

/**
 * Puts an apostrophe before every sign by which a spreadsheet would run a cell of the text as a formula: at its begin, and
 * behind `;`, a tab or a line break, where readers with other separators begin a cell. Takes time linear in the text.
 *
 *     disarmFormulas('=1+1')     // '=1+1 with an apostrophe before it
 *     disarmFormulas('a;=1')     // a;'=1
 *     disarmFormulas('-5')       // -5: a number stays one
 */
export function disarmFormulas(text: string): string {
  if (!SIGN.test(text) || NUMBER.test(text)) return text;
  return text.replace(SIGNS, (sign, place: number) => (isCellStart(text, place) ? `'${sign}` : sign));
}
