/** Escaped markup. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | readonly Html[] | undefined;

/** A template tag that escapes all values except Html. */
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

/** Escapes the five special characters of markup. */
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
