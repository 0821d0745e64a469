import { parseTolerantly } from './parse-tolerantly.ts';
import { isEmpty, nodesAt, type Syntax, type SyntaxNode, textOf } from './tree.ts';

export interface WatchExpression {
  /** The part of the expression whose value is shown. */
  readonly label: string;
  /** An expression over the rows that returns this value. */
  readonly expression: string;
}

const ITERATING = ['map', 'filter'];

/** Returns the node whose value to show: the path up to the cursor, the function call, or the variable. */
function watchedNode(
  nodes: readonly SyntaxNode[],
): { nodes: readonly SyntaxNode[]; subject: SyntaxNode } | undefined {
  let at = nodes.length - 1;
  const last = nodes[at];
  if (
    !last ||
    ['string', 'number', 'value', 'regex', 'missing', 'placeholder', 'lambda', 'bind'].includes(last.kind)
  )
    return undefined;
  for (; at > 0; at--) {
    const [node, parent] = [nodes[at], nodes[at - 1]];
    const isCallee = parent?.kind === 'call' && parent.children[0] === node;
    const isStep = parent?.kind === 'path' && parent.children[1] === node;
    if (!isCallee && !isStep) break;
  }
  const subject = nodes[at];
  return subject && { subject, nodes: nodes.slice(0, at + 1) };
}

/** Returns an expression for the last node's value in its context; undefined inside functions. */
function inContext(syntax: Syntax, nodes: readonly SyntaxNode[]): string | undefined {
  const [node, child] = nodes;
  if (!node) return undefined;
  if (!child) return textOf(syntax, node);
  const inner = () => inContext(syntax, nodes.slice(1));
  const [first] = node.children;
  const over = (left: SyntaxNode, value = inner()) =>
    value === undefined ? undefined : `${textOf(syntax, left)}.(${value})`;
  const isFirst = child === first;
  switch (node.kind) {
    case 'path':
    case 'filter':
    case 'sort':
    case 'group':
      return isFirst || !first ? inner() : over(first);
    case 'focus':
    case 'position':
      return isFirst ? inner() : undefined;
    case 'block': {
      const before = node.children.slice(0, node.children.indexOf(child));
      const binds = before.filter(({ kind }) => kind === 'bind').map((bind) => `${textOf(syntax, bind)}; `);
      const value = inner();
      return value === undefined ? undefined : `(${binds.join('')}${value})`;
    }
    case 'bind':
      return isFirst ? undefined : inner();
    case 'call':
      return child.kind === 'lambda' ? insideCallback(syntax, node, nodes) : inner();
    case 'binary':
      if (node.text === '~>' && !isFirst) return undefined;
      return inner();
    case 'lambda':
    case 'transform':
      return undefined;
    default:
      return inner();
  }
}

/** Returns an expression inside the callback of `$map` or `$filter`, with its first parameter bound to each item. */
function insideCallback(syntax: Syntax, call: SyntaxNode, nodes: readonly SyntaxNode[]): string | undefined {
  const [callee, items] = call.children;
  const lambda = nodes[1];
  const body = lambda?.children.at(-1);
  if (!callee || !items || !lambda || nodes[2] !== body || !ITERATING.includes(callee.text)) return undefined;
  const [parameter] = lambda.children;
  const value = inContext(syntax, nodes.slice(2));
  if (value === undefined || lambda.children.length > 2) return undefined;
  const bind = lambda.children.length === 2 && parameter ? `$${parameter.text} := $; ` : '';
  return `(${textOf(syntax, items)}).(${bind}${value})`;
}

/** Returns the part under the cursor as an expression to evaluate; null when it has no value. */
export function watchExpressionAt(text: string, position: number): WatchExpression | null {
  const syntax = parseTolerantly(text);
  const found = watchedNode(nodesAt(syntax.root, position));
  if (!found || isEmpty(found.subject)) return null;
  const expression = inContext(syntax, found.nodes);
  if (expression === undefined) return null;
  return { label: textOf(syntax, found.subject), expression };
}
