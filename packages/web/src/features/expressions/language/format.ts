import { compile } from '@datadeck/jsonata';
import { group, HARD_LINE, indent, type Layout, SOFT_LINE, SPACE_OR_LINE, write } from './doc-layout.ts';
import { parseTolerantly } from './parse-tolerantly.ts';
import { isEmpty, type Syntax, type SyntaxNode, textOf, walk } from './tree.ts';

/** Maximum line width, characters: about what the editor shows beside the results. */
const MAX_WIDTH = 64;

function joined(parts: readonly Layout[], separator: Layout): Layout[] {
  return parts.flatMap((part, at) => (at === 0 ? [part] : [separator, part]));
}

class Formatter {
  readonly #syntax: Syntax;
  /** Comments, by the start of the token that follows them. */
  readonly #before = new Map<number, string[]>();
  /** Comments that no token follows, by the end of the token before them. */
  readonly #behind = new Map<number, string[]>();
  #written = 0;

  constructor(syntax: Syntax) {
    this.#syntax = syntax;
    const starts = new Set<number>();
    walk(syntax.root, ({ from, kind }) => kind !== 'missing' && starts.add(from));
    for (const { from, to } of syntax.comments) {
      const after = this.#nextToken(to);
      const [map, position] = starts.has(after)
        ? [this.#before, after]
        : [this.#behind, this.#endOfToken(from)];
      map.set(position, [...(map.get(position) ?? []), syntax.text.slice(from, to)]);
    }
  }

  get hasAllComments(): boolean {
    return this.#written === this.#syntax.comments.length;
  }

  #nextToken(position: number): number {
    const rest = this.#syntax.text.slice(position);
    return position + (/^(?:\s|\/\*[\s\S]*?\*\/)*/.exec(rest)?.[0].length ?? 0);
  }

  /** Returns the end of the token before a position. */
  #endOfToken(position: number): number {
    const { text, comments } = this.#syntax;
    let end = position;
    for (;;) {
      end = text.slice(0, end).trimEnd().length;
      const before = comments.find(({ to }) => to === end);
      if (!before) return end;
      end = before.from;
    }
  }

  #take(comments: Map<number, string[]>, position: number): string[] {
    const found = comments.get(position) ?? [];
    comments.delete(position);
    this.#written += found.length;
    return found;
  }

  /** Lays out a node with the comments before and after it. */
  layout(node: SyntaxNode): Layout {
    const before = this.#take(this.#before, node.from);
    const bare = this.#bare(node);
    const behind = this.#take(this.#behind, node.to);
    if (before.length + behind.length === 0) return bare;
    return [
      before.map((comment): Layout => [comment, SPACE_OR_LINE]),
      bare,
      behind.map((comment) => [' ', comment]),
    ];
  }

  #all(nodes: readonly SyntaxNode[]): Layout[] {
    return nodes.filter((node) => !isEmpty(node)).map((node) => this.layout(node));
  }

  #bracketed(open: string, items: readonly Layout[], close: string, separator: string, edge: Layout): Layout {
    if (items.length === 0) return `${open}${close}`;
    return group([open, indent([edge, joined(items, [separator, SPACE_OR_LINE])]), edge, close]);
  }

  #pairs(nodes: readonly SyntaxNode[]): Layout {
    const pairs: Layout[] = [];
    for (let at = 0; at + 1 < nodes.length; at += 2) {
      const [key, value] = this.#all(nodes.slice(at, at + 2));
      pairs.push([key ?? '', ': ', value ?? '']);
    }
    return this.#bracketed('{', pairs, '}', ',', SOFT_LINE);
  }

  #bare(node: SyntaxNode): Layout {
    const { kind, text, children } = node;
    const [first, second] = children;
    const one = (child: SyntaxNode | undefined): Layout => (child ? this.layout(child) : '');
    switch (kind) {
      case 'negation':
        return ['-', one(first)];
      case 'array':
        return this.#bracketed('[', this.#all(children), ']', ',', SOFT_LINE);
      case 'object':
        return this.#pairs(children);
      case 'group':
        return [one(first), this.#pairs(children.slice(1))];
      case 'block':
        return this.#block(children);
      case 'path':
        return this.#path(node);
      case 'filter':
        return isEmpty(second)
          ? [one(first), '[]']
          : [one(first), group(['[', indent([SOFT_LINE, one(second)]), SOFT_LINE, ']'])];
      case 'sort':
        return [one(first), this.#bracketed('^(', this.#all(children.slice(1)), ')', ',', SOFT_LINE)];
      case 'term':
        return [text, one(first)];
      case 'focus':
      case 'position':
        return [one(first), kind === 'focus' ? '@' : '#', one(second)];
      case 'call':
        return [one(first), this.#arguments(children.slice(1))];
      case 'lambda':
        return this.#lambda(node);
      case 'bind':
        return [one(first), ' := ', one(second)];
      case 'condition':
        return group([
          one(first),
          indent([
            [SPACE_OR_LINE, '? ', one(second)],
            children[2] ? [SPACE_OR_LINE, ': ', one(children[2])] : '',
          ]),
        ]);
      case 'binary':
        return this.#binary(node);
      case 'transform':
        return ['| ', joined(this.#all(children.slice(0, 2)), ' | '), this.#deletion(children[2]), ' |'];
      default:
        return textOf(this.#syntax, node);
    }
  }

  #deletion(node: SyntaxNode | undefined): Layout {
    return node ? [', ', this.layout(node)] : '';
  }

  #block(children: readonly SyntaxNode[]): Layout {
    const parts = this.#all(children);
    if (!children.some(({ kind }) => kind === 'bind'))
      return this.#bracketed('(', parts, ')', ';', SOFT_LINE);
    // Put each step of a calculation on its own line.
    return ['(', indent([HARD_LINE, joined(parts, [';', HARD_LINE])]), HARD_LINE, ')'];
  }

  /** Lays out the steps of a path; breaks before each `.` when several steps do not fit on one line. */
  #path(node: SyntaxNode): Layout {
    const steps: SyntaxNode[] = [];
    let left: SyntaxNode = node;
    while (left.kind === 'path' && left.children[0] && left.children[1] && !this.#before.has(left.from)) {
      steps.unshift(left.children[1]);
      left = left.children[0];
    }
    if (steps.length === 0) return this.#steps(node);
    const head = this.layout(left);
    const rest = steps.map((step) => this.layout(step));
    const [last] = steps;
    if (steps.length < 3 && last) return [head, rest.map((step) => ['.', step])];
    return group([head, indent(rest.map((step) => [SOFT_LINE, '.', step]))]);
  }

  #steps(node: SyntaxNode): Layout {
    return joined(this.#all(node.children), '.');
  }

  /** Lays out arguments on one line; a function in the last position may use several lines. */
  #arguments(nodes: readonly SyntaxNode[]): Layout {
    const args = this.#all(nodes);
    const last = nodes.at(-1);
    const isHugging = last && ['lambda', 'object', 'array', 'block'].includes(last.kind);
    if (isHugging && nodes.slice(0, -1).every(({ children }) => children.length === 0))
      return ['(', joined(args, ', '), ')'];
    return this.#bracketed('(', args, ')', ',', SOFT_LINE);
  }

  #lambda(node: SyntaxNode): Layout {
    const parameters = node.children.slice(0, -1).map((parameter) => this.layout(parameter));
    const body = node.children.at(-1);
    const name = this.#syntax.text.startsWith('λ', node.from) ? 'λ' : 'function';
    const signature = node.text === '' ? '' : `<${node.text.replace(/^</, '')}`;
    return [
      name,
      '(',
      joined(parameters, ', '),
      ')',
      signature,
      ' ',
      group(['{', indent([SPACE_OR_LINE, body ? this.layout(body) : '']), SPACE_OR_LINE, '}']),
    ];
  }

  /** Lays out a chain of the same operator; each operator starts a line. */
  #binary(node: SyntaxNode): Layout {
    const { text } = node;
    if (text === '..') return joined(this.#all(node.children), '..');
    const operands: SyntaxNode[] = [];
    let left: SyntaxNode = node;
    while (left.kind === 'binary' && left.text === text && left.children[0] && left.children[1]) {
      operands.unshift(left.children[1]);
      left = left.children[0];
      if (this.#before.has(left.from)) break;
    }
    const head = this.layout(left);
    return group([head, indent(operands.map((operand) => [SPACE_OR_LINE, text, ' ', this.layout(operand)]))]);
  }
}

/** Returns the syntax tree of an expression without positions, for comparison; undefined if it is not well formed. */
export function meaningOf(text: string): string | undefined {
  try {
    return JSON.stringify(compile(text).ast, (key, value: unknown) => {
      if (key === 'position') return undefined;
      return value instanceof RegExp ? String(value) : value;
    });
  } catch {
    return undefined;
  }
}

export type Formatted =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Formats an expression. Returns it only if the engine reads the same syntax tree from it and all comments are kept;
 * otherwise returns the reason.
 */
export function format(text: string): Formatted {
  const meaning = meaningOf(text);
  if (meaning === undefined)
    return { ok: false, reason: 'The expression has an error. Correct it before you format it.' };
  const syntax = parseTolerantly(text);
  const formatter = new Formatter(syntax);
  const formatted = write(formatter.layout(syntax.root), MAX_WIDTH);
  if (!formatter.hasAllComments)
    return {
      ok: false,
      reason: 'Formatting would lose a comment, so the expression was not changed.',
    };
  if (meaningOf(formatted) !== meaning)
    return { ok: false, reason: 'This expression cannot be formatted safely, so it was not changed.' };
  return { ok: true, text: formatted };
}
