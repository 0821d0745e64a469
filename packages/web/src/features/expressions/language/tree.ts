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
 * A syntax node with its range in the text. `children` are in text order, the left side first. `object` and `group`
 * alternate keys and values; `call` starts with the callee; `lambda` ends with the body.
 */
export interface SyntaxNode {
  readonly kind: NodeKind;
  readonly from: number;
  readonly to: number;
  /** Name, operator, sort order (`<`, `>` or empty) or signature. */
  readonly text: string;
  readonly children: readonly SyntaxNode[];
}

export interface Syntax {
  readonly text: string;
  readonly root: SyntaxNode;
  readonly comments: readonly Comment[];
  readonly problems: readonly Problem[];
}

/** Returns the text of a node. */
export function textOf(syntax: Syntax, node: SyntaxNode): string {
  return syntax.text.slice(node.from, node.to);
}

/** Returns the nodes at a position, outermost first; of two neighbours, the one that ends there. */
export function nodesAt(root: SyntaxNode, position: number): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  for (let node: SyntaxNode | undefined = root; node; ) {
    nodes.push(node);
    node = node.children.find(({ from, to }) => from <= position && position <= to);
  }
  return nodes;
}

/** Visits a node and its descendants, parents first. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(node);
  for (const child of node.children) walk(child, visit);
}

/** Returns whether a node is the empty space between two brackets. */
export function isEmpty(node: SyntaxNode | undefined): boolean {
  return node?.kind === 'missing' && node.text === 'empty';
}
