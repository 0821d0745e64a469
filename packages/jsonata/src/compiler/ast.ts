/** The syntax tree of the reference parser, limited to what this compiler uses. */

/** The tuple slot in which a step stores its value for `%` in its children. */
export interface Slot {
  readonly label: string;
}

export type Pair = readonly [key: Node, value: Node];

export interface Group {
  readonly lhs: readonly Pair[];
  readonly position: number;
}

export type Stage =
  | { readonly type: 'filter'; readonly expr: Node; readonly position: number }
  | { readonly type: 'index'; readonly value: string; readonly position: number };

interface Common {
  readonly position?: number;
  readonly predicate?: readonly Stage[];
  readonly stages?: readonly Stage[];
  readonly group?: Group;
  readonly keepArray?: boolean;
  /** Whether the step is part of a tuple stream, for `@`, `#` or `%`. */
  readonly tuple?: boolean;
  readonly focus?: string;
  readonly index?: string;
  readonly ancestor?: Slot;
  readonly consarray?: boolean;
}

export interface PathNode extends Common {
  readonly type: 'path';
  readonly steps: readonly Node[];
  readonly keepSingletonArray?: boolean;
}

export interface VariableNode extends Common {
  readonly type: 'variable';
  readonly value: string;
}

export interface CallNode extends Common {
  readonly type: 'function' | 'partial';
  readonly procedure: Node;
  readonly arguments: readonly Node[];
}

export interface LambdaNode extends Common {
  readonly type: 'lambda';
  /** Whether the parser wrapped a call in tail position; `body` is the call. */
  readonly thunk?: boolean;
  readonly arguments: readonly VariableNode[];
  readonly signature?: { readonly definition: string };
  readonly body: Node;
}

export interface SortNode extends Common {
  readonly type: 'sort';
  readonly terms: readonly { readonly descending: boolean; readonly expression: Node }[];
}

export interface BinaryNode extends Common {
  readonly type: 'binary';
  readonly value: string;
  readonly lhs: Node;
  readonly rhs: Node;
}

export interface TransformNode extends Common {
  readonly type: 'transform';
  readonly pattern: Node;
  readonly update: Node;
  readonly delete?: Node;
}

export type UnaryNode = Common & { readonly type: 'unary' } & (
    | { readonly value: '-'; readonly expression: Node }
    | { readonly value: '['; readonly expressions: readonly Node[] }
    | { readonly value: '{'; readonly lhs: readonly Pair[] }
  );

export type Node =
  | PathNode
  | VariableNode
  | CallNode
  | LambdaNode
  | SortNode
  | BinaryNode
  | TransformNode
  | UnaryNode
  | (Common & { readonly type: 'name'; readonly value: string })
  | (Common & {
      readonly type: 'string' | 'number' | 'value';
      readonly value: string | number | boolean | null;
    })
  | (Common & { readonly type: 'operator'; readonly value: string })
  | (Common & { readonly type: 'wildcard' | 'descendant' })
  | (Common & { readonly type: 'parent'; readonly slot: Slot })
  | (Common & { readonly type: 'regex'; readonly value: unknown })
  | (Common & {
      readonly type: 'condition';
      readonly condition: Node;
      readonly then: Node;
      readonly else?: Node;
    })
  | (Common & { readonly type: 'block'; readonly expressions: readonly Node[] })
  | (Common & { readonly type: 'bind'; readonly lhs: VariableNode; readonly rhs: Node })
  | (Common & { readonly type: 'apply'; readonly lhs: Node; readonly rhs: Node });

/** Returns the direct children of a node. */
export function childrenOf(node: Node): Node[] {
  const children = ownChildrenOf(node);
  for (const stage of [...(node.predicate ?? []), ...(node.stages ?? [])]) {
    if (stage.type === 'filter') children.push(stage.expr);
  }
  if (node.group !== undefined) children.push(...node.group.lhs.flat());
  return children;
}

/** Returns the direct children of a node without those in its predicates, stages and grouping. */
export function ownChildrenOf(node: Node): Node[] {
  switch (node.type) {
    case 'path':
      return [...node.steps];
    case 'unary':
      if (node.value === '-') return [node.expression];
      return node.value === '[' ? [...node.expressions] : node.lhs.flat();
    case 'binary':
    case 'apply':
      return [node.lhs, node.rhs];
    case 'bind':
      return [node.rhs];
    case 'function':
    case 'partial':
      return [node.procedure, ...node.arguments];
    case 'lambda':
      return [node.body];
    case 'condition':
      return node.else === undefined ? [node.condition, node.then] : [node.condition, node.then, node.else];
    case 'block':
      return [...node.expressions];
    case 'sort':
      return node.terms.map((term) => term.expression);
    case 'transform':
      return node.delete === undefined
        ? [node.pattern, node.update]
        : [node.pattern, node.update, node.delete];
    default:
      return [];
  }
}

/** Returns the names that `:=` binds in the node's own frame. Nested blocks and functions have their own frames. */
export function directBinds(nodes: readonly Node[]): string[] {
  const names: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'bind') names.push(node.lhs.value);
    const isThunk = node.type === 'lambda' && node.thunk === true;
    if (node.type === 'block' || (node.type === 'lambda' && !isThunk) || node.type === 'transform') return;
    childrenOf(node).forEach(visit);
  };
  nodes.forEach(visit);
  return names;
}

/** Returns whether the node or a descendant mentions a variable of this name. */
export function mentions(node: Node, name: string): boolean {
  if (node.type === 'variable' && node.value === name) return true;
  return childrenOf(node).some((child) => mentions(child, name));
}

/** Returns whether a regular expression below was lost when the parser copied the tree as JSON. */
function hasLostRegex(node: Node): boolean {
  return (node.type === 'regex' && !(node.value instanceof RegExp)) || childrenOf(node).some(hasLostRegex);
}

/**
 * Returns the condition of a conditional. For `a ?: b` and `a ?? b` the parser copies `a` and loses its regular
 * expressions; in that case this function rebuilds the condition from `a` itself.
 */
export function conditionOf(node: Node & { type: 'condition' }): Node {
  const { condition } = node;
  if (!hasLostRegex(condition)) return condition;
  const original = node.then.type === 'lambda' && node.then.thunk === true ? node.then.body : node.then;
  const isCoalescing =
    condition.type === 'function' &&
    condition.procedure.type === 'variable' &&
    condition.procedure.value === 'exists';
  return isCoalescing && !hasLostRegex(original) ? { ...condition, arguments: [original] } : original;
}
