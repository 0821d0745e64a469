/** Longest style attribute that is read, UTF-16 units, and its declarations. */
const MAX_LENGTH = 4000;
const MAX_DECLARATIONS = 60;

const SIDES = ['top', 'right', 'bottom', 'left'];
const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'];
const sidesOf = (property: string) => [property, ...SIDES.map((side) => `${property}-${side}`)];

/** Properties of text, boxes and tables. None moves an element out of its place, animates it or draws a blur. */
const PROPERTIES = new Set([
  ...'color opacity visibility display direction unicode-bidi float clear overflow overflow-x overflow-y'.split(
    ' ',
  ),
  ...'overflow-wrap box-sizing width min-width max-width height min-height max-height outline'.split(' '),
  ...['', '-color', '-image', '-repeat', '-position', '-size'].map((part) => `background${part}`),
  ...['', '-family', '-size', '-style', '-weight', '-variant', '-stretch'].map((part) => `font${part}`),
  ...'line-height letter-spacing word-spacing word-break word-wrap hyphens white-space tab-size'.split(' '),
  ...'text-align text-indent text-transform text-overflow vertical-align'.split(' '),
  ...['', '-color', '-line', '-style'].map((part) => `text-decoration${part}`),
  ...['', '-type', '-position'].map((part) => `list-style${part}`),
  ...[...sidesOf('margin'), ...sidesOf('padding')],
  ...sidesOf('border').flatMap((side) => ['', '-color', '-style', '-width'].map((part) => side + part)),
  ...['border-radius', ...CORNERS.map((corner) => `border-${corner}-radius`)],
  ...'border-collapse border-spacing table-layout caption-side empty-cells'.split(' '),
  ...'flex-direction flex-wrap align-items justify-content'.split(' '),
]);

/**
 * One token of a value: a word, a number of at most four digits before its point, a colour, a plain text in quotation marks,
 * blanks or a separator. A backslash, a comment or a function other than of colours is none of them.
 */
const TOKEN =
  /-?[a-z_][a-z0-9_-]{0,60}(?![a-z0-9_(-])|#[0-9a-f]{3,8}(?![0-9a-z])|[+-]?(?:\d{1,4}(?:\.\d{0,20})?|\.\d{1,20})(?:%|[a-z]{1,4})?(?![0-9a-z.(%])|(?:rgb|hsl)a?\([0-9\s.,%/]{1,60}\)|"[\w .-]{0,100}"|'[\w .-]{0,100}'|[\s,/]/iy;
const IMPORTANT = / ?! ?important$/i;
/** A value of a background with a function, which is an image. */
const IMAGE = /^background(?:-image)?$/;

/** A style attribute that loads nothing. */
interface SafeStyle {
  /** Declarations in a canonical form: `color:red;margin:0 auto`. */
  css: string;
  /** Whether an image was left out. */
  isBlocked: boolean;
}

function isPlain(value: string): boolean {
  let at = 0;
  while (at < value.length) {
    TOKEN.lastIndex = at;
    if (!TOKEN.test(value)) return false;
    at = TOKEN.lastIndex;
  }
  return value !== '';
}

/** Keeps the declarations of a style attribute whose property and value are on a list. */
export function safeStyle(style: string): SafeStyle {
  const kept: string[] = [];
  let isBlocked = false;
  for (const declaration of style.slice(0, MAX_LENGTH).split(';', MAX_DECLARATIONS)) {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (!PROPERTIES.has(property)) continue;
    const whole = declaration
      .slice(colon + 1)
      .trim()
      .replaceAll(/\s+/g, ' ');
    const value = whole.replace(IMPORTANT, '');
    const isImportant = value !== whole;
    if (isPlain(value)) kept.push(`${property}:${value}${isImportant ? '!important' : ''}`);
    else if (IMAGE.test(property) && value.includes('(')) isBlocked = true;
  }
  return { css: kept.join(';'), isBlocked };
}
