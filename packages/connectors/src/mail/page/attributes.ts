import { safeStyle } from './style.ts';

/** Longest values, UTF-16 units: of an address, a text for people, and any other value. */
const ADDRESS_LENGTH = 8000;
const TEXT_LENGTH = 1000;
const WORD_LENGTH = 100;
/** Cells that a mail may span in addition to its own. Browsers allow 65,534,000 for each. */
const MAX_SPANNED = 2000;

const WORDS = /^[\w#%.,'() -]*$/;
const LENGTH = /^[+-]?\d{1,4}(?:\.\d{1,4})?(?:%|px)?$/;
const SPAN = /^[1-9]\d{0,2}$/;
const LINK = /^\s*(?:https?:\/\/|mailto:)/i;
const IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|bmp);base64,[a-z0-9+/=\s]*$/i;
/** Addresses of images that are elsewhere. They are kept to be counted as blocked; nothing loads them. */
const REMOTE_IMAGE = /^\s*(?:https?:|cid:|\/\/)/i;

type Check = (value: string) => boolean;
const isText: Check = (value) => value.length <= TEXT_LENGTH;
const isWords: Check = (value) => value.length <= WORD_LENGTH && WORDS.test(value);
const isLength: Check = (value) => LENGTH.test(value);
const isSpan: Check = (value) => SPAN.test(value);

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...['alt', 'title'].map((name) => [name, isText] as const),
  ...['align', 'valign', 'bgcolor', 'color', 'face', 'dir', 'lang', 'type', 'clear'].map(
    (name) => [name, isWords] as const,
  ),
  ...['nowrap', 'noshade', 'reversed', 'rules', 'frame', 'role'].map((name) => [name, isWords] as const),
  ...['width', 'height', 'border', 'cellpadding', 'cellspacing'].map((name) => [name, isLength] as const),
  ...['hspace', 'vspace', 'size', 'start', 'value'].map((name) => [name, isLength] as const),
  ...['colspan', 'rowspan', 'span'].map((name) => [name, isSpan] as const),
  ['href', (value) => value.length <= ADDRESS_LENGTH && LINK.test(value)],
  ['src', (value) => IMAGE.test(value) || (value.length <= ADDRESS_LENGTH && REMOTE_IMAGE.test(value))],
  ['style', () => true],
  // Set by this module.
  ['data-blocked', (value) => value === ''],
]);

/** Returns whether an attribute may be part of a mail. Others need not be read. */
export function isKnownAttribute(name: string): boolean {
  return CHECKS.has(name);
}

/** Escapes a text for HTML, in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\u00a0', '&nbsp;');
}

/** Writes the attributes of one mail, whose cells together may span a limited number of others. */
export class AttributeWriter {
  #spanned = 0;

  /** Returns the allowed attributes with a blank before each, in the order of the map. */
  write(attributes: ReadonlyMap<string, string>): string {
    const kept = new Map([...attributes].filter(([name, value]) => CHECKS.get(name)?.(value)));
    this.#boundSpans(kept);
    const style = kept.get('style');
    if (style !== undefined) {
      const { css, isBlocked } = safeStyle(style);
      if (css === '') kept.delete('style');
      else kept.set('style', css);
      if (isBlocked) kept.set('data-blocked', '');
    }
    return [...kept].map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('');
  }

  #boundSpans(attributes: Map<string, string>): void {
    const of = (name: string) => Number(attributes.get(name) ?? 1);
    const spanned = of('colspan') * of('rowspan') * of('span') - 1;
    if (this.#spanned + spanned <= MAX_SPANNED) this.#spanned += spanned;
    else for (const name of ['colspan', 'rowspan', 'span']) attributes.delete(name);
  }
}
