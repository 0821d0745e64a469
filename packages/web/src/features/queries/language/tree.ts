import type { Comment, Problem } from './scan.ts';

export type NodeKind =
  | 'name'
  | 'variable'
  | 'string'
  | 'number'
  | 'value'
  | 'regex'
  | 'wildcard'
  | 'descendant'
  | 'parent'
  | 'placeholder'
  | 'missing'
  | 'negation'
  | 'array'
  | 'object'
  | 'block'
  | 'lambda'
  | 'call'
  | 'path'
  | 'filter'
  | 'group'
  | 'sort'
  | 'term'
  | 'focus'
  | 'position'
  | 'binary'
  | 'condition'
  | 'bind'
  | 'transform';

/**
 * A piece of an expression with its place in the text. Children stand in the order of the text: the left side first
 * for `path`, `filter`, `group`, `sort`, `focus` and `position`; keys and values in turn for `object` and `group`; the
 * callee first for `call`; the parameters, then the body for `lambda`.
 */
export interface SyntaxNode {
  readonly kind: NodeKind;
  readonly from: number;
  readonly to: number;
  /** Name, operator, order (`<`, `>` or nothing) or signature. */
  readonly text: string;
  readonly children: readonly SyntaxNode[];
}

export interface Syntax {
  readonly text: string;
  readonly root: SyntaxNode;
  readonly comments: readonly Comment[];
  readonly problems: readonly Problem[];
}

/** The part of the text that a node covers. */
export function textOf(syntax: Syntax, node: SyntaxNode): string {
  return syntax.text.slice(node.from, node.to);
}

/** The nodes that touch a position, the whole first; of two neighbours the one that ends there. */
export function nodesAt(root: SyntaxNode, position: number): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  for (let node: SyntaxNode | undefined = root; node; ) {
    nodes.push(node);
    node = node.children.find(({ from, to }) => from <= position && position <= to);
  }
  return nodes;
}

/** Calls back for a node and all below it. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(node);
  for (const child of node.children) walk(child, visit);
}

/** Whether a node is the place between two empty brackets. */
export function isEmpty(node: SyntaxNode | undefined): boolean {
  return node?.kind === 'missing' && node.text === 'empty';
}
