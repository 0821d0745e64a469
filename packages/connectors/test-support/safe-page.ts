import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';
import { expect } from 'vitest';
import { isKnownAttribute } from '../src/mail/page/attributes.ts';
import { BLOCKS, CELLS, FORMATTING, INLINE, TABLE_PARTS, VOID } from '../src/mail/page/elements.ts';
import { type MailPage, PAGE_LENGTH, writeMailPage } from '../src/mail/page/page.ts';
import { MAX_DEPTH, MAX_ELEMENTS } from '../src/mail/page/page-writer.ts';

type Node = DefaultTreeAdapterTypes.Node;

const KNOWN = new Set([...BLOCKS, ...CELLS, ...FORMATTING, ...INLINE, ...TABLE_PARTS, ...VOID]);

/** Returns the elements of a page as a browser reads it, with their depth. */
function elementsOf(html: string) {
  const elements: { name: string; attributes: { name: string; value: string }[]; depth: number }[] = [];
  const walk = (node: Node, depth: number) => {
    if ('tagName' in node) elements.push({ name: node.tagName, attributes: node.attrs, depth });
    if ('childNodes' in node) for (const child of node.childNodes) walk(child, depth + 1);
  };
  walk(parseFragment(html), 0);
  return elements;
}

/** Asserts that a browser reads a page as it is written, within the maxima, and finds nothing in it that runs or loads. */
export function expectSafePage({ html }: MailPage): void {
  // parse5 writes quotation marks in texts as they are.
  const unquoted = (text: string) => text.replaceAll('&quot;', '"');
  expect(unquoted(serialize(parseFragment(html)))).toBe(unquoted(html));
  expect(writeMailPage(html, false)).toEqual({ html, isCutOff: false });
  expect(html.length).toBeLessThanOrEqual(PAGE_LENGTH);
  const elements = elementsOf(html);
  expect(elements.length).toBeLessThanOrEqual(MAX_ELEMENTS);
  for (const { name, attributes, depth } of elements) {
    if (!KNOWN.has(name) || depth > MAX_DEPTH) expect({ name, depth }).toBeUndefined();
    for (const { name: attribute, value } of attributes) {
      const isStyleUnsafe =
        attribute === 'style' && /[\\{}<@]|\/\*|(?:url|src|image|image-set)\(/i.test(value);
      const isLinkUnsafe = attribute === 'href' && !/^\s*(?:https?:\/\/|mailto:)/i.test(value);
      if (!isKnownAttribute(attribute) || isStyleUnsafe || isLinkUnsafe)
        expect({ [attribute]: value }).toBeUndefined();
    }
  }
}
