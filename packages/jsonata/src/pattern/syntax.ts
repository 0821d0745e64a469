/** A regular expression taken apart. `atom` is one character, kept as the source that recognises it. */
export type Tree =
  | { readonly kind: 'atom'; readonly source: string }
  | { readonly kind: 'assertion'; readonly name: '^' | '$' | '\\b' | '\\B' }
  | { readonly kind: 'sequence'; readonly items: readonly Tree[] }
  | { readonly kind: 'choice'; readonly options: readonly Tree[] }
  | { readonly kind: 'group'; readonly index: number | undefined; readonly body: Tree }
  | {
      readonly kind: 'repeat';
      readonly body: Tree;
      readonly least: number;
      readonly most: number;
      readonly lazy: boolean;
    };

/** Why an expression cannot be run in bounded time. */
export class Unsupported extends Error {}

/** Takes apart an expression that `RegExp` accepted. Throws `Unsupported` for lookaround and back-references. */
export function parsePattern(source: string): { tree: Tree; groups: number } {
  const parser = new PatternParser(source);
  const tree = parser.choice();
  return { tree, groups: parser.groups };
}

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|0[0-7]{0,2}|[\s\S])/y;
const CLASS = /\[(?:\\[\s\S]|[^\]\\])*\]/y;
const COUNT = /\{(\d+)(,(\d*))?\}/y;
const MOST_REPEATS = 1000;

class PatternParser {
  groups = 0;
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  choice(): Tree {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 ? (options[0] as Tree) : { kind: 'choice', options };
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #sticky(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  #sequence(): Tree {
    const items: Tree[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) {
      items.push(this.#quantified(this.#item()));
    }
    return items.length === 1 ? (items[0] as Tree) : { kind: 'sequence', items };
  }

  #item(): Tree {
    if (this.#take('(')) return this.#group();
    if (this.#take('^')) return { kind: 'assertion', name: '^' };
    if (this.#take('$')) return { kind: 'assertion', name: '$' };
    if (this.#take('\\b')) return { kind: 'assertion', name: '\\b' };
    if (this.#take('\\B')) return { kind: 'assertion', name: '\\B' };
    const next = this.#source.slice(this.#at, this.#at + 2);
    if (/^\\[1-9k]/.test(next)) throw new Unsupported(`back-reference ${next}`);
    const compound = next.startsWith('\\')
      ? this.#sticky(ESCAPE)
      : next.startsWith('[')
        ? this.#sticky(CLASS)
        : null;
    if (compound !== null) return { kind: 'atom', source: compound[0] };
    const character = this.#source.charAt(this.#at++);
    return { kind: 'atom', source: /[{}\]/]/.test(character) ? `\\${character}` : character };
  }

  #group(): Tree {
    let index: number | undefined;
    const name = this.#sticky(/\?<[A-Za-z_$][\w$]*>/y);
    if (name !== null || !this.#take('?')) index = ++this.groups;
    else if (!this.#take(':')) {
      throw new Unsupported(`(?${this.#source.slice(this.#at, this.#at + 2)} looks around or sets flags`);
    }
    const body = this.choice();
    this.#take(')');
    return { kind: 'group', index, body };
  }

  #quantified(body: Tree): Tree {
    let [least, most] = [1, 1];
    if (this.#take('*')) [least, most] = [0, Number.POSITIVE_INFINITY];
    else if (this.#take('+')) [least, most] = [1, Number.POSITIVE_INFINITY];
    else if (this.#take('?')) [least, most] = [0, 1];
    else {
      const count = this.#sticky(COUNT);
      if (count === null) return body;
      least = Number(count[1]);
      most = count[2] === undefined ? least : count[3] ? Number(count[3]) : Number.POSITIVE_INFINITY;
    }
    if (least > MOST_REPEATS || (Number.isFinite(most) && most > MOST_REPEATS)) {
      throw new Unsupported(`more than ${MOST_REPEATS} repetitions`);
    }
    return { kind: 'repeat', body, least, most, lazy: this.#take('?') };
  }
}
