/** Begins a signature or the footer of a mailing list. */
const FOOTER = /^(?:--\s*$|_{10})/;
const BLANK = /^\s*$/;

/** A text and the quoted mail at its end, with what follows: a signature or nothing. */
export interface QuotedText {
  text: string;
  quote: string;
  rest: string;
}

/**
 * Separates the quoted mail at the end of a plain text: its last lines that begin with `>`. A quote with an answer below it,
 * and one without a text before it, stays in the text.
 */
export function separateQuote(whole: string): QuotedText {
  const lines = whole.split('\n');
  const end = lines.findLastIndex((line) => line.startsWith('>')) + 1;
  const next = lines.slice(end).find((line) => !BLANK.test(line));
  const isLast = next === undefined || FOOTER.test(next);
  const start =
    lines.findLastIndex((line, index) => index < end && !line.startsWith('>') && !BLANK.test(line)) + 1;
  const first = lines.findIndex((line, index) => index >= start && line.startsWith('>'));
  if (end === 0 || !isLast || start === 0) return { text: whole, quote: '', rest: '' };
  const join = (from: number, to?: number) => lines.slice(from, to).join('\n');
  return { text: join(0, first), quote: join(first, end), rest: join(end).trim() };
}
