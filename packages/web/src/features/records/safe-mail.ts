import DOMPurify, { type Config } from 'dompurify';

/** The HTML of a mail or of Markdown, made safe for a frame. */
export interface SafeMail {
  /** A whole document, for the `srcdoc` of a frame without scripts. */
  document: string;
  /** Its body, which is not in the page. */
  body: HTMLElement;
  /** Whether it has styles that set heights or spaces, of which its text says little. */
  hasSpacing: boolean;
  /** Number of images and backgrounds that a sender wanted to be loaded from elsewhere. */
  blocked: number;
}

/** What the frame may load: nothing but images that the mail contains. The policy of the page holds in addition. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const CONFIG: Config = {
  USE_PROFILES: { html: true },
  // Elements that ask for input, play, or load.
  FORBID_TAGS: [
    ...[
      'form',
      'input',
      'button',
      'select',
      'option',
      'optgroup',
      'datalist',
      'textarea',
      'label',
      'fieldset',
    ],
    ...['style', 'audio', 'video', 'source', 'track', 'picture', 'map', 'area', 'dialog', 'marquee'],
  ],
  FORBID_ATTR: ['srcset', 'background', 'id', 'name', 'class', 'tabindex', 'autofocus', 'popover', 'style'],
  ALLOW_DATA_ATTR: false,
  // The server marks elements whose background image it left out.
  ADD_ATTR: ['data-css', 'data-blocked'],
  ADD_URI_SAFE_ATTR: ['data-css', 'data-blocked'],
};

const BASE_STYLE = `
  html { color-scheme: light; }
  body { margin: 16px; background: #fff; color: #15161c; font: 14px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
  img { max-width: 100%; height: auto; }
  pre { white-space: pre-wrap; }
  a { color: #2f4fd0; }
  summary { width: fit-content; cursor: pointer; color: #5c5f6b; font-size: 13px; }
`;

/** Matches a style that sets a height or a space. */
const SPACING = /height:|padding|margin|spacing/;

/**
 * Renames `style` attributes to `data-css`. The server writes each as ` style="`, and escapes quotation marks everywhere else.
 * The page's policy blocks style attributes, and browsers report each one as soon as HTML is parsed, also by DOMPurify.
 */
function withoutStyleAttributes(html: string): string {
  return html.replaceAll(' style="', ' data-css="');
}

/**
 * Collects the declarations of `data-css` attributes as rules, since the page's policy allows no style attributes. The server
 * has filtered them; the frame's policy lets none of them load anything.
 */
class StyleRules {
  readonly #isKept: (property: string) => boolean;
  readonly #rules = new Map<string, string>();
  readonly #parser = document.createElement('p').style;

  /** @param isKept returns whether a property has an effect */
  constructor(isKept: (property: string) => boolean) {
    this.#isKept = isKept;
  }

  /** Returns the class for a style attribute; undefined if nothing of it is allowed. */
  classOf(css: string): string | undefined {
    this.#parser.cssText = css;
    for (const property of [...this.#parser])
      if (!this.#isKept(property)) this.#parser.removeProperty(property);
    // A string of CSS may contain the end of the style element.
    const declarations = this.#parser.cssText.replaceAll('<', '\\3c ');
    if (declarations === '') return undefined;
    const name = this.#rules.get(declarations) ?? `m${this.#rules.size}`;
    this.#rules.set(declarations, name);
    return name;
  }

  toString(): string {
    return [...this.#rules].map(([declarations, name]) => `.${name} { ${declarations} }`).join('\n');
  }
}

/** Lets a link open in a new tab. A relative one would lead to a page of this app. */
function secureLink(link: Element): void {
  if (!/^\s*(?:https?:\/\/|mailto:)/i.test(link.getAttribute('href') ?? '')) link.removeAttribute('href');
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer');
}

/** Removes an image that would be loaded from elsewhere, and shows its alternative text. @returns whether it did */
function removeRemoteImage(image: Element): boolean {
  if (image.getAttribute('src')?.startsWith('data:image/')) return false;
  const alternative = image.getAttribute('alt')?.trim();
  image.replaceWith(alternative ? `[${alternative}]` : '');
  return true;
}

/** How a frame looks. */
export interface FrameLook {
  style: string;
  /** Returns whether authors may set a property of styles. */
  isKept: (property: string) => boolean;
}

/** Mails look as their senders want, on white. */
export const MAIL_LOOK: FrameLook = { style: BASE_STYLE, isKept: () => true };

/**
 * Makes the HTML of a mail safe: no scripts, forms or remote content; links open in a new tab. The server has written it so
 * that it is read in a bounded time. The result is for a frame without scripts, whose policy is the last wall.
 * @param nonce of the page, for the style element
 */
export function makeMailSafe(html: string, nonce: string, look = MAIL_LOOK): SafeMail {
  const body = DOMPurify.sanitize(withoutStyleAttributes(html), {
    ...CONFIG,
    RETURN_DOM: true,
  }) as HTMLElement;
  const rules = new StyleRules(look.isKept);
  let images = 0;
  for (const element of body.querySelectorAll('[data-blocked]')) {
    element.removeAttribute('data-blocked');
    images++;
  }
  for (const element of body.querySelectorAll('[data-css]')) {
    const name = rules.classOf(element.getAttribute('data-css') ?? '');
    element.removeAttribute('data-css');
    if (name !== undefined) element.setAttribute('class', name);
  }
  for (const link of body.querySelectorAll('a[href]')) secureLink(link);
  for (const image of body.querySelectorAll('img')) if (removeRemoteImage(image)) images++;
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<style nonce="${nonce}">${look.style}${rules}</style>`,
  ].join('');
  return {
    document: `<!doctype html><html><head>${head}</head><body>${body.innerHTML}</body></html>`,
    body,
    hasSpacing: SPACING.test(rules.toString()),
    blocked: images,
  };
}
