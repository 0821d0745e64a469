/*
 * A frame without scripts and of an origin of its own cannot say how high its content is, and nobody may look into it. Its height
 * is estimated from the text and the elements; what is higher scrolls in the frame.
 */

/** Heights of a line of text, of a row of a table beside its text, and of an image that does not say its own, px. */
const [LINE, ROW, IMAGE] = [21, 9, 150];
/** Average width of a character, px. */
const CHARACTER = 7;
/** Estimates end here: a frame is never that high, and a document of so many elements and texts is long. */
const [MAX_HEIGHT, MAX_NODES] = [4000, 20_000];

/** Space above and below elements, px. Others with an entry of 0 begin a line. */
const BLOCKS: Readonly<Record<string, number>> = {
  ...{ P: 14, UL: 14, OL: 14, DL: 14, PRE: 38, BLOCKQUOTE: 14, TABLE: 14, DETAILS: 14, FIGURE: 14, HR: 33 },
  ...{ H1: 36, H2: 34, H3: 30, H4: 30, H5: 30, H6: 30, TR: ROW },
  ...{ DIV: 0, LI: 0, DT: 0, DD: 0, BR: 0, SUMMARY: 0, SECTION: 0, ARTICLE: 0, CENTER: 0, ADDRESS: 0 },
};

/** Returns the height of an image, px, by its attribute. */
function imageHeight(image: Element): number {
  const height = Number.parseInt(image.getAttribute('height') ?? '', 10);
  return height > 0 ? height : IMAGE;
}

/** Adds up the height of elements and texts. */
class HeightCounter {
  height = 0;
  /** Characters of the line that is being filled. */
  #characters = 0;
  /** Open elements whose line breaks count. */
  #preformatted = 0;
  readonly #perLine: number;

  constructor(width: number) {
    this.#perLine = Math.max(10, Math.floor(width / CHARACTER));
  }

  /** Ends a line. An empty one counts after a line break only. */
  endLine(isBreak = false): void {
    const lines = Math.ceil(this.#characters / this.#perLine);
    this.height += (isBreak ? Math.max(1, lines) : lines) * LINE;
    this.#characters = 0;
  }

  enter(node: Node): void {
    if (node instanceof Text) this.#addText(node);
    if (!(node instanceof Element)) return;
    const space = BLOCKS[node.tagName];
    if (space !== undefined) this.endLine(node.tagName === 'BR');
    this.height += space ?? 0;
    if (node.tagName === 'PRE') this.#preformatted++;
    if (node.tagName === 'IMG') this.height += imageHeight(node);
  }

  leave(node: Node): void {
    if (!(node instanceof Element)) return;
    if (BLOCKS[node.tagName] !== undefined) this.endLine();
    if (node.tagName === 'PRE') this.#preformatted--;
  }

  #addText({ data }: Text): void {
    const [first = '', ...others] =
      this.#preformatted > 0 ? data.split('\n') : [data.replaceAll(/\s+/g, ' ')];
    this.#characters += first === ' ' ? 0 : first.length;
    for (const line of others) {
      this.endLine(true);
      this.#characters = line.length;
    }
  }
}

/** Returns whether the content of an element is folded, all but its first line. */
const isFolded = (node: Node) =>
  node instanceof Element && node.tagName === 'DETAILS' && !node.hasAttribute('open');

/**
 * Estimates how high the content of a frame is, px, at most 4,000.
 * @param body of the document @param width of the frame, px
 */
export function estimateHeight(body: Element, width: number): number {
  const counter = new HeightCounter(width);
  let node: Node | null = body.firstChild;
  for (let nodes = 0; node && counter.height < MAX_HEIGHT; nodes++) {
    if (nodes === MAX_NODES) return MAX_HEIGHT;
    counter.enter(node);
    const child: Node | null = isFolded(node) ? null : node.firstChild;
    if (child) {
      node = child;
      continue;
    }
    if (isFolded(node)) counter.height += LINE;
    counter.leave(node);
    while (node && node !== body && !node.nextSibling) {
      node = node.parentNode;
      if (node) counter.leave(node);
    }
    node = node === body ? null : (node?.nextSibling ?? null);
  }
  counter.endLine();
  return Math.min(Math.ceil(counter.height), MAX_HEIGHT);
}
