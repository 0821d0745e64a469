import type { ReactNode } from 'react';

/** Number of links in a text; further addresses are plain text. */
const MAX_LINKS = 500;

const ADDRESS = /https?:\/\/[^\s<>"'`]{1,2000}/g;
/** Punctuation after an address that belongs to the sentence. */
const TRAILING = new Set('.,;:!?)]}*_~');

/** Returns the length of an address without the punctuation of its sentence. A closing parenthesis stays if one was opened. */
function addressLength(address: string): number {
  let length = address.length;
  const hasParenthesis = address.includes('(');
  while (length > 0) {
    const char = address.charAt(length - 1);
    if (!TRAILING.has(char) || (char === ')' && hasParenthesis)) break;
    length--;
  }
  return length;
}

/** Shows a text of others with its lines; http addresses become links that open in a new tab. */
export function LinkedText({ text }: { text: string }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    if (parts.length >= 2 * MAX_LINKS) break;
    const address = found.slice(0, addressLength(found));
    if (!URL.canParse(address)) continue;
    parts.push(
      text.slice(end, index),
      <a
        key={index}
        href={address}
        target="_blank"
        rel="noopener noreferrer"
        className="text-accent-text underline"
      >
        {address}
      </a>,
    );
    end = index + address.length;
  }
  return (
    <div dir="auto" className="whitespace-pre-wrap text-left text-14 wrap-anywhere">
      {parts}
      {text.slice(end)}
    </div>
  );
}
