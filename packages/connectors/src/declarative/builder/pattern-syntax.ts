/** A pattern as a tree. `source` is one character, class or escape; `most` of a repetition without an end is infinite. */
export type PatternNode =
  | { kind: 'one'; source: string }
  | { kind: 'all'; nodes: PatternNode[] }
  | { kind: 'any'; nodes: PatternNode[] }
  | { kind: 'many'; node: PatternNode; least: number; most: number };

/** Deepest nesting of groups. */
const MAX_DEPTH = 20;
/** An escape, or a character; `u` patterns have no others. */
const ATOM =
  /\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^{}]{1,60}\}|c[A-Za-z]|.)|./suy;
const GROUP = /\((?:\?:|\?<[A-Za-z_$][\w$]{0,60}>|(?!\?))/y;
const REPEAT = /(?:[*+?]|\{(\d{1,9})(,?)(\d{0,9})\})\??/y;

/** Thrown for what a pattern of a form may not contain; the message is a sentence. */
export class PatternError extends Error {}

/** Reads the source of a regular expression that is known to be well formed with the flag `u`. */
class PatternReader {
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** @throws PatternError for lookaround, back-references, and groups that are nested too deep */
  read(): PatternNode {
    if (++this.#depth > MAX_DEPTH) throw new PatternError('The pattern has too many groups within groups.');
    const choices: PatternNode[] = [];
    do choices.push(this.#sequence());
    while (this.#skip('|'));
    this.#depth--;
    return choices.length === 1 && choices[0] ? choices[0] : { kind: 'any', nodes: choices };
  }

  #sequence(): PatternNode {
    const nodes: PatternNode[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? '')) {
      const node = this.#node();
      if (node) nodes.push(this.#repeated(node));
    }
    return { kind: 'all', nodes };
  }

  /** Returns a group, class or character; undefined for what takes no character: `^`, `$`, `\b`. */
  #node(): PatternNode | undefined {
    if (this.#source[this.#at] === '(') {
      if (this.#match(GROUP) === undefined)
        throw new PatternError('The pattern looks ahead or behind, which is not supported.');
      const inner = this.read();
      this.#skip(')');
      return inner;
    }
    if (this.#source[this.#at] === '[') return { kind: 'one', source: this.#class() };
    const source = this.#match(ATOM)?.[0] ?? '';
    if (/^\\[1-9k]/.test(source))
      throw new PatternError('The pattern refers back to a group, which is not supported.');
    return /^(?:[\^$]|\\[bB])$/.test(source) ? undefined : { kind: 'one', source };
  }

  #class(): string {
    const start = this.#at++;
    while (this.#at < this.#source.length && this.#source[this.#at] !== ']') this.#match(ATOM);
    this.#at++;
    return this.#source.slice(start, this.#at);
  }

  #repeated(node: PatternNode): PatternNode {
    const found = this.#match(REPEAT);
    if (!found) return node;
    const [text, least, comma, most] = found;
    const isCounted = least !== undefined;
    const from = isCounted ? Number(least) : text.startsWith('+') ? 1 : 0;
    const to = !isCounted
      ? text.startsWith('?')
        ? 1
        : Number.POSITIVE_INFINITY
      : comma === ''
        ? from
        : most === ''
          ? Number.POSITIVE_INFINITY
          : Number(most);
    return { kind: 'many', node, least: from, most: to };
  }

  #skip(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found) this.#at = pattern.lastIndex;
    return found ?? undefined;
  }
}

/** Reads the source of a regular expression that is well formed with the flag `u`. @throws PatternError */
export function readPattern(source: string): PatternNode {
  return new PatternReader(source).read();
}
