import { textOfHtml } from './html.ts';

/** Texts of a mail that are alternatives of each other, or one text. */
export interface AlternativeTexts {
  plain: string[];
  html: string[];
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>\n' };

function htmlOfText(text: string): string {
  return `<div>${text.trimEnd().replace(/[&<>\n]/g, (char) => ESCAPES[char] ?? char)}</div>`;
}

/**
 * Joins the texts of a mail to one plain text and one HTML text. Where a mail has both types, a text without an alternative
 * is converted to the other type, so that each of the two has the whole mail.
 */
export function joinTexts(all: readonly AlternativeTexts[]): { text: string; html: string } {
  const textOf = ({ plain, html }: AlternativeTexts) =>
    plain.length > 0 ? plain.join('\n') : textOfHtml(html.join('\n')).trim();
  const htmlOf = ({ plain, html }: AlternativeTexts) =>
    html.length > 0 ? html.join('\n') : htmlOfText(plain.join('\n'));
  return {
    text: all.some(({ plain }) => plain.length > 0) ? all.map(textOf).join('\n') : '',
    html: all.some(({ html }) => html.length > 0) ? all.map(htmlOf).join('\n') : '',
  };
}
