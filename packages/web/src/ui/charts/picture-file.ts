import { CHARACTER, shortened } from './plot.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Styles that a picture outside the page needs as attributes. */
const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'text-anchor'] as const;
/** Space around the picture, height of a line of text, and size of a legend's square, px. */
const PADDING = 16;
const LINE = 20;
const SQUARE = 10;
/** Pixels of a PNG for each px. */
const SCALE = 2;

/** What is around a picture. */
export interface PictureTexts {
  title: string;
  subtitle: string;
  notes: string;
  /** Names of the drawn series; none without a legend. */
  legend: readonly { name: string; className: string }[];
}

function element(name: string, attributes: Record<string, string | number>, text?: string): SVGElement {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  if (text !== undefined) created.textContent = text;
  return created;
}

/** Copies the styles of an element and of all in it to attributes of their copies. */
function inlineStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  for (const name of STYLES) to.setAttribute(name, style.getPropertyValue(name));
  to.removeAttribute('class');
  to.removeAttribute('style');
  for (const [index, child] of [...from.children].entries()) {
    const copy = to.children[index];
    if (copy) inlineStyles(child, copy);
  }
}

/** Returns the colour that a class fills with in the current scheme. */
function colorOfClass(picture: SVGSVGElement, className: string): string {
  const probe = element('rect', { class: className });
  picture.append(probe);
  const { fill } = getComputedStyle(probe);
  probe.remove();
  return fill;
}

/** Returns the legend in lines that are no wider than the picture, and their height, px. */
function legendOf(
  picture: SVGSVGElement,
  legend: PictureTexts['legend'],
  { width, ink }: { width: number; ink: string },
) {
  const group = element('g', {});
  let [x, y] = [0, legend.length > 0 ? LINE : 0];
  for (const { name, className } of legend) {
    const text = shortened(name, width - 2 * SQUARE);
    const size = text.length * CHARACTER + 3 * SQUARE;
    if (x > 0 && x + size > width) [x, y] = [0, y + LINE];
    group.append(
      element('rect', {
        x,
        y: y - SQUARE,
        width: SQUARE,
        height: SQUARE,
        rx: 2,
        fill: colorOfClass(picture, className),
      }),
      element('text', { x: x + SQUARE + 6, y, fill: ink }, text),
    );
    x += size;
  }
  return { group, height: y };
}

/** Returns a picture with its title, legend and notes as an SVG file in the colours of the current scheme. */
export function svgFileOf(
  picture: SVGSVGElement,
  { title, subtitle, notes, legend }: PictureTexts,
): {
  text: string;
  width: number;
  height: number;
} {
  const inner = {
    width: Number(picture.getAttribute('width')),
    height: Number(picture.getAttribute('height')),
  };
  const [surface, ink, faint] = ['fill-surface', 'fill-ink', 'fill-ink-3'].map((name) =>
    colorOfClass(picture, name),
  );
  const copy = picture.cloneNode(true) as SVGSVGElement;
  inlineStyles(picture, copy);
  for (const area of copy.querySelectorAll('[data-group]:not([data-row]), [data-hover]')) area.remove();
  const width = inner.width + 2 * PADDING;
  const keys = legendOf(picture, legend, { width: inner.width, ink: ink ?? '' });
  const top = 2 * LINE + keys.height + PADDING / 2;
  const height = top + inner.height + LINE + 2 * PADDING;
  const file = element('svg', {
    xmlns: SVG,
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    'font-family': 'Inter, system-ui, sans-serif',
    'font-size': 12,
  });
  const body = element('g', { transform: `translate(${PADDING} ${PADDING})` });
  const drawn = element('g', { transform: `translate(0 ${top})` });
  drawn.append(...copy.childNodes);
  const legendGroup = element('g', { transform: `translate(0 ${2 * LINE - 4})` });
  legendGroup.append(keys.group);
  body.append(
    element(
      'text',
      { y: 14, fill: ink ?? '', 'font-size': 14, 'font-weight': 600 },
      shortened(title, inner.width),
    ),
    element('text', { y: 14 + LINE, fill: faint ?? '' }, shortened(subtitle, inner.width)),
    legendGroup,
    drawn,
    element('text', { y: top + inner.height + LINE, fill: faint ?? '' }, shortened(notes, inner.width)),
  );
  file.append(element('rect', { width, height, fill: surface ?? '' }), body);
  return { text: new XMLSerializer().serializeToString(file), width, height };
}

/** Returns the PNG of an SVG file, two pixels for each px. @throws Error when the browser cannot draw it */
export async function pngOf({ text, width, height }: ReturnType<typeof svgFileOf>): Promise<Blob> {
  const image = new Image();
  // The policy of the page allows images from data addresses, not from blobs.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the picture cannot be drawn'))),
      'image/png',
    );
  });
}
