/** Markup that is safe to put into a page as it is. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | readonly Html[] | undefined;

/** A template that escapes every value but those that are Html already. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  const filled = texts.map((text, index) => text + (index < parts.length ? render(parts[index]) : ''));
  return { markup: filled.join('') };
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'object' && 'markup' in part) return part.markup;
  if (typeof part === 'object') return part.map((each) => each.markup).join('');
  return escapeHtml(String(part));
}

/** The text with the five characters of markup escaped. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
