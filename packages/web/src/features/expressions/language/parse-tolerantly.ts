import { type Problem, Scanner, type Token } from './scan.ts';
import type { NodeKind, Syntax, SyntaxNode } from './tree.ts';

/** Binding powers of the engine's parser. */
const POWER: Readonly<Record<string, number>> = {
  '.': 75,
  '[': 80,
  '{': 70,
  '(': 80,
  '@': 80,
  '#': 80,
  '?': 20,
  '+': 50,
  '-': 50,
  '*': 60,
  '/': 60,
  '%': 60,
  '=': 40,
  '<': 40,
  '>': 40,
  '^': 40,
  ':=': 10,
  '!=': 40,
  '<=': 40,
  '>=': 40,
  '~>': 40,
  '?:': 40,
  '??': 40,
  and: 30,
  or: 25,
  in: 40,
  '&': 50,
};
const NEGATION_POWER = 70;
/** Maximum depth of the tree. Functions that walk the tree are recursive, so deeper text is not parsed. */
const MAX_DEPTH = 600;
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '|': '|' };

class TolerantParser {
  readonly #scanner: Scanner;
  readonly problems: Problem[] = [];
  #token: Token;
  /** End of the previous token. */
  #end = 0;
  #depth = 0;

  constructor(text: string) {
    this.#scanner = new Scanner(text);
    this.#token = this.#scanner.next(true);
  }

  get comments() {
    return this.#scanner.comments;
  }

  get scanProblems() {
    return this.#scanner.problems;
  }

  /** Parses the whole text, including anything after a complete expression. */
  whole(): SyntaxNode {
    const parts = [this.#expression(0)];
    while (this.#token.type !== 'end') {
      const { from, to, value } = this.#token;
      const isCloser = [')', ']', '}'].includes(value);
      this.problems.push({
        from,
        to,
        message: isCloser
          ? `This ${value} has no opening bracket.`
          : `An operator is missing before ${value}, or the expression should end here.`,
      });
      if (this.#token.type === 'operator') this.#advance(true);
      if (this.#isAt('end')) break;
      parts.push(this.#expression(0));
    }
    const [first] = parts;
    if (parts.length === 1 && first) return first;
    return this.#node('block', 0, parts, 'loose');
  }

  #isAt(value: string): boolean {
    return value === 'end'
      ? this.#token.type === 'end'
      : this.#token.type === 'operator' && this.#token.value === value;
  }

  #advance(mayBeRegex: boolean): Token {
    const token = this.#token;
    this.#end = token.to;
    this.#token = this.#scanner.next(mayBeRegex);
    return token;
  }

  #node(kind: NodeKind, from: number, children: readonly SyntaxNode[] = [], text = ''): SyntaxNode {
    return { kind, from, to: Math.max(this.#end, children.at(-1)?.to ?? 0), text, children };
  }

  #close(opener: Token, mayBeRegex = false): void {
    const closer = CLOSERS[opener.value] ?? '';
    if (this.#isAt(closer)) {
      this.#advance(mayBeRegex);
      return;
    }
    this.problems.push({
      from: opener.from,
      to: opener.to,
      message: `This ${opener.value} is not closed: a ${closer} is missing.`,
    });
  }

  /** Returns a node for the empty space between two brackets, where an expression may be written. */
  #empty(): SyntaxNode {
    return {
      kind: 'missing',
      from: this.#end,
      to: Math.max(this.#end, this.#token.from),
      text: 'empty',
      children: [],
    };
  }

  /** Returns a node for a missing expression and reports the problem. */
  #missing(): SyntaxNode {
    const { from, type, value } = this.#token;
    const what = type === 'end' ? 'the end' : value;
    this.problems.push({
      from: this.#end,
      to: Math.max(from, this.#end),
      message: `Something is missing before ${what}.`,
    });
    return { kind: 'missing', from: this.#end, to: Math.max(from, this.#end), text: '', children: [] };
  }

  #expression(power: number): SyntaxNode {
    if (++this.#depth > MAX_DEPTH) {
      this.#depth--;
      this.#advance(true);
      return this.#missing();
    }
    const before = this.#depth;
    let left = this.#prefix();
    while (this.#token.type === 'operator' && power < (POWER[this.#token.value] ?? 0)) {
      if (++this.#depth > MAX_DEPTH) break;
      left = this.#infix(left);
    }
    this.#depth = before - 1;
    return left;
  }

  #leaf(kind: NodeKind): SyntaxNode {
    const { from, value } = this.#advance(false);
    return this.#node(kind, from, [], value);
  }

  #prefix(): SyntaxNode {
    const { type, value, from } = this.#token;
    if (type === 'name') return this.#leaf(['true', 'false', 'null'].includes(value) ? 'value' : 'name');
    if (type === 'variable' || type === 'string' || type === 'number' || type === 'regex')
      return this.#leaf(type);
    switch (type === 'end' ? 'end' : value) {
      case 'and':
      case 'or':
      case 'in':
        return this.#leaf('name');
      case '*':
        return this.#leaf('wildcard');
      case '**':
        return this.#leaf('descendant');
      case '%':
        return this.#leaf('parent');
      case '-':
        this.#advance(true);
        return this.#node('negation', from, [this.#expression(NEGATION_POWER)]);
      case '(':
        return this.#block();
      case '[': {
        const opener = this.#advance(true);
        const items = this.#list(']', () => this.#item());
        this.#close(opener);
        return this.#node('array', from, items);
      }
      case '{': {
        const opener = this.#advance(true);
        const pairs = this.#pairs();
        this.#close(opener);
        return this.#node('object', from, pairs);
      }
      case '|':
        return this.#transform();
      default:
        return this.#missing();
    }
  }

  #list(closer: string, item: () => SyntaxNode): SyntaxNode[] {
    if (this.#isAt(closer) || this.#isAt('end')) return [this.#empty()];
    const items: SyntaxNode[] = [];
    for (;;) {
      items.push(item());
      if (!this.#isAt(',')) return items;
      this.#advance(true);
    }
  }

  #item(): SyntaxNode {
    const first = this.#expression(0);
    if (!this.#isAt('..')) return first;
    this.#advance(true);
    return this.#node('binary', first.from, [first, this.#expression(0)], '..');
  }

  #pairs(): SyntaxNode[] {
    if (this.#isAt('}') || this.#isAt('end')) return [this.#empty()];
    const values: SyntaxNode[] = [];
    for (;;) {
      values.push(this.#expression(0));
      if (this.#isAt(':')) {
        this.#advance(true);
        values.push(this.#expression(0));
      } else values.push(this.#missing());
      if (!this.#isAt(',')) return values;
      this.#advance(true);
    }
  }

  #block(): SyntaxNode {
    const opener = this.#advance(true);
    const parts: SyntaxNode[] = [];
    while (!this.#isAt(')') && this.#token.type !== 'end') {
      parts.push(this.#expression(0));
      if (!this.#isAt(';')) break;
      this.#advance(true);
    }
    if (parts.length === 0) parts.push(this.#empty());
    this.#close(opener);
    return this.#node('block', opener.from, parts);
  }

  #transform(): SyntaxNode {
    const opener = this.#advance(true);
    const parts = [this.#expression(0)];
    if (this.#isAt('|')) {
      this.#advance(true);
      parts.push(this.#expression(0));
      if (this.#isAt(',')) {
        this.#advance(true);
        parts.push(this.#expression(0));
      }
    }
    this.#close(opener, true);
    return this.#node('transform', opener.from, parts);
  }

  #infix(left: SyntaxNode): SyntaxNode {
    const operator = this.#advance(true);
    const { from } = left;
    const power = POWER[operator.value] ?? 0;
    switch (operator.value) {
      case '.':
        return this.#node('path', from, [left, this.#expression(power)]);
      case '(':
        return this.#call(left, operator);
      case '[': {
        const inner = this.#isAt(']') || this.#isAt('end') ? this.#empty() : this.#expression(0);
        this.#close(operator);
        return this.#node('filter', from, [left, inner]);
      }
      case '{': {
        const pairs = this.#pairs();
        this.#close(operator);
        return this.#node('group', from, [left, ...pairs]);
      }
      case '^':
        return this.#sort(left);
      case '@':
      case '#': {
        const kind = operator.value === '@' ? 'focus' : 'position';
        return this.#node(kind, from, [left, this.#expression(power)]);
      }
      case ':=':
        return this.#node('bind', from, [left, this.#expression(power - 1)]);
      case '?': {
        const parts = [left, this.#expression(0)];
        if (this.#isAt(':')) {
          this.#advance(true);
          parts.push(this.#expression(0));
        }
        return this.#node('condition', from, parts);
      }
      default: {
        const rightPower = operator.value === '?:' || operator.value === '??' ? 0 : power;
        return this.#node('binary', from, [left, this.#expression(rightPower)], operator.value);
      }
    }
  }

  #sort(left: SyntaxNode): SyntaxNode {
    const opener = this.#token;
    if (!this.#isAt('(')) return this.#node('sort', left.from, [left, this.#missing()]);
    this.#advance(true);
    const terms = this.#list(')', () => {
      const { from, value } = this.#token;
      const order = this.#isAt('<') || this.#isAt('>') ? value : '';
      if (order !== '') this.#advance(true);
      const key = this.#expression(0);
      // A missing key begins at the end of the previous token, before the whitespace.
      return this.#node('term', Math.min(from, key.from), [key], order);
    });
    this.#close(opener, true);
    return this.#node('sort', left.from, [left, ...terms]);
  }

  #call(callee: SyntaxNode, opener: Token): SyntaxNode {
    const list = this.#list(')', () => (this.#isAt('?') ? this.#leaf('placeholder') : this.#expression(0)));
    this.#close(opener);
    const isLambda = callee.kind === 'name' && (callee.text === 'function' || callee.text === 'λ');
    if (!isLambda) return this.#node('call', callee.from, [callee, ...list]);
    const parameters = list.filter(({ kind }) => kind !== 'missing');
    let signature = '';
    if (this.#isAt('<')) {
      while (!this.#isAt('{') && this.#token.type !== 'end') signature += this.#advance(true).value;
    }
    if (!this.#isAt('{'))
      return this.#node('lambda', callee.from, [...parameters, this.#missing()], signature);
    const brace = this.#advance(true);
    const body = this.#expression(0);
    this.#close(brace, true);
    return this.#node('lambda', callee.from, [...parameters, body], signature);
  }
}

/** Parses an expression that may be unfinished or wrong, as it is while the user types. */
export function parseTolerantly(text: string): Syntax {
  const parser = new TolerantParser(text);
  const root = parser.whole();
  return {
    text,
    root,
    comments: parser.comments,
    problems: [...parser.scanProblems, ...parser.problems],
  };
}
