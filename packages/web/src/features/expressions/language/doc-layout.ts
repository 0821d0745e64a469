/** A text that can be laid out on one line or on several. */
export type Layout =
  | string
  | readonly Layout[]
  /** A possible line break: written as `flat` when the group fits on one line. */
  | { readonly kind: 'line'; readonly flat: string }
  | { readonly kind: 'indent'; readonly body: Layout }
  /** Breaks all its lines if it does not fit on one. */
  | { readonly kind: 'group'; readonly body: Layout };

export const SPACE_OR_LINE: Layout = { kind: 'line', flat: ' ' };
export const SOFT_LINE: Layout = { kind: 'line', flat: '' };
/** A line break that is always written. */
export const HARD_LINE: Layout = { kind: 'line', flat: '\n' };
export const indent = (body: Layout): Layout => ({ kind: 'indent', body });
export const group = (body: Layout): Layout => ({ kind: 'group', body });

const STEP = 2;

function isList(layout: Layout): layout is readonly Layout[] {
  return Array.isArray(layout);
}

/** Returns the width of a layout on one line, characters; infinite if it contains a hard line break. */
function flatWidth(layout: Layout, room: number): number {
  if (typeof layout === 'string') return layout.includes('\n') ? Number.POSITIVE_INFINITY : layout.length;
  if (isList(layout)) {
    let width = 0;
    for (const part of layout) {
      width += flatWidth(part, room - width);
      if (width > room) return width;
    }
    return width;
  }
  if (layout.kind !== 'line') return flatWidth(layout.body, room);
  return layout === HARD_LINE ? Number.POSITIVE_INFINITY : layout.flat.length;
}

/** Writes a layout in lines of at most `width` characters where possible. */
export function write(layout: Layout, width: number): string {
  const parts: string[] = [];
  let column = 0;
  const put = (text: string) => {
    parts.push(text);
    const newline = text.lastIndexOf('\n');
    column = newline === -1 ? column + text.length : text.length - newline - 1;
  };
  const visit = (part: Layout, depth: number, isFlat: boolean): void => {
    if (typeof part === 'string') put(part);
    else if (isList(part)) for (const inner of part) visit(inner, depth, isFlat);
    else if (part.kind === 'line') put(isFlat ? part.flat : `\n${' '.repeat(depth * STEP)}`);
    else if (part.kind === 'indent') visit(part.body, depth + 1, isFlat);
    else visit(part.body, depth, isFlat || flatWidth(part.body, width - column) <= width - column);
  };
  visit(layout, 0, false);
  return parts.join('');
}
