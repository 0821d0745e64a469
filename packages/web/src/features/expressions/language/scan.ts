export type TokenType = 'name' | 'variable' | 'string' | 'number' | 'regex' | 'operator' | 'end';

export interface Token {
  readonly type: TokenType;
  /** The name without back-ticks or `$`; for other tokens the text. */
  readonly value: string;
  readonly from: number;
  readonly to: number;
}

export interface Comment {
  readonly from: number;
  readonly to: number;
}

export interface Problem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

const SPACE = ' \t\n\r\v';
const DOUBLE = ['..', ':=', '!=', '>=', '<=', '**', '~>', '?:', '??'];
const SINGLE = '.[]{}(),@#;:?+-*/%|=<>^&!~';
const NUMBER = /(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;

/** Splits an expression into tokens as the engine's parser does, but continues after errors. */
export class Scanner {
  readonly comments: Comment[] = [];
  readonly problems: Problem[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the next token. A `/` starts a regular expression where a value may start. */
  next(mayBeRegex: boolean): Token {
    this.#skip();
    const from = this.#at;
    const char = this.#text.charAt(from);
    if (char === '') return { type: 'end', value: '', from, to: from };
    if (char === '/' && mayBeRegex) return this.#regex(from);
    const double = this.#text.slice(from, from + 2);
    if (DOUBLE.includes(double)) return this.#take('operator', from + 2, double);
    if (SINGLE.includes(char)) return this.#take('operator', from + 1, char);
    if (char === '"' || char === "'") return this.#string(from, char);
    NUMBER.lastIndex = from;
    const number = NUMBER.exec(this.#text)?.[0];
    if (number !== undefined) return this.#take('number', from + number.length, number);
    return char === '`' ? this.#quotedName(from) : this.#word(from);
  }

  #take(type: TokenType, to: number, value: string): Token {
    const from = this.#at;
    this.#at = to;
    return { type, value, from, to };
  }

  #skip(): void {
    for (;;) {
      while (this.#at < this.#text.length && SPACE.includes(this.#text.charAt(this.#at))) this.#at++;
      if (!this.#text.startsWith('/*', this.#at)) return;
      const end = this.#text.indexOf('*/', this.#at + 2);
      const to = end === -1 ? this.#text.length : end + 2;
      if (end === -1) this.#report(this.#at, to, 'This comment is not closed: add */ at its end.');
      this.comments.push({ from: this.#at, to });
      this.#at = to;
    }
  }

  #report(from: number, to: number, message: string): void {
    this.problems.push({ from, to, message });
  }

  #string(from: number, quote: string): Token {
    let at = from + 1;
    while (at < this.#text.length && this.#text[at] !== quote) at += this.#text[at] === '\\' ? 2 : 1;
    const to = Math.min(at + 1, this.#text.length);
    if (at >= this.#text.length) this.#report(from, to, `This text is not closed: add ${quote} at its end.`);
    return this.#take('string', to, this.#text.slice(from, to));
  }

  #quotedName(from: number): Token {
    const end = this.#text.indexOf('`', from + 1);
    const to = end === -1 ? this.#text.length : end + 1;
    if (end === -1) this.#report(from, to, 'This quoted name is never closed: put ` at its end.');
    return this.#take('name', to, this.#text.slice(from + 1, end === -1 ? to : end));
  }

  #word(from: number): Token {
    let to = from + 1;
    while (to < this.#text.length && !`${SPACE}${SINGLE}`.includes(this.#text.charAt(to))) to++;
    const word = this.#text.slice(from, to);
    if (word.startsWith('$')) return this.#take('variable', to, word.slice(1));
    return this.#take(['and', 'or', 'in'].includes(word) ? 'operator' : 'name', to, word);
  }

  #regex(from: number): Token {
    let depth = 0;
    let at = from + 1;
    for (; at < this.#text.length; at++) {
      const char = this.#text.charAt(at);
      if (char === '\\') at++;
      else if (char === '/' && depth <= 0) break;
      else if ('([{'.includes(char)) depth++;
      else if (')]}'.includes(char)) depth--;
    }
    if (at >= this.#text.length)
      this.#report(from, this.#text.length, 'This regular expression is not closed: add / at its end.');
    let to = Math.min(at + 1, this.#text.length);
    while (/[im]/.test(this.#text.charAt(to))) to++;
    return this.#take('regex', to, this.#text.slice(from, to));
  }
}
