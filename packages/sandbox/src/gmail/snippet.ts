import { type MimePart, walkParts } from '../mime/mime-tree.ts';
import { escapeHtml } from '../pages/html.ts';

const LONGEST = 200;
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  apos: "'",
  zwnj: '',
  '#39': "'",
};

/** The beginning of the message's text on one line, HTML-escaped as Gmail sends it. */
export function snippetOf(message: MimePart): string {
  const texts = [...walkParts(message)].filter(
    (part) => part.children.length === 0 && part.filename === '' && !part.attached,
  );
  const plain = texts.find((part) => part.mimeType === 'text/plain' && part.content.length > 0);
  const rich = texts.find((part) => part.mimeType === 'text/html');
  const text = plain
    ? plain.content.toString('utf8', 0, 4000)
    : htmlToText(rich?.content.toString('utf8', 0, 40_000) ?? '');
  const line = text
    .replace(/(?:\s|\u200B|\u200C|\u200D|\u034F|\uFEFF)+/g, ' ')
    .replaceAll('\0', '')
    .trim();
  return escapeHtml(cut(line));
}

function cut(line: string): string {
  if (line.length <= LONGEST) return line;
  const end = line.lastIndexOf(' ', LONGEST);
  return [...line.slice(0, end > 0 ? end : LONGEST)]
    .filter((character) => !/[\uD800-\uDFFF]/u.test(character))
    .join('');
}

function htmlToText(markup: string): string {
  return markup
    .replace(/<(head|style|script|title)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole);
}
