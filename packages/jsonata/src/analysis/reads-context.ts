import { type CallNode, type Node, ownChildrenOf } from '../compiler/ast.ts';
import { FUNCTIONS } from '../functions/library.ts';
import { takesContext } from '../functions/takes-context.ts';

const BUILT_IN: ReadonlySet<string> = new Set(FUNCTIONS.map(({ name }) => name));

function callReads({ procedure, arguments: args }: CallNode, more: readonly Node[]): boolean {
  const all = [...more, ...args];
  if (procedure.type !== 'variable' || !BUILT_IN.has(procedure.value)) return true;
  return all.length === 0 || takesContext(procedure.value, all.length) || all.some(readsContext);
}

/** Returns whether the value of a node may depend on its context value; true for nodes that are not followed. */
export function readsContext(node: Node): boolean {
  switch (node.type) {
    case 'string':
    case 'number':
    case 'value':
    case 'regex':
      return false;
    case 'variable':
      return node.value === '';
    case 'path': {
      for (const step of node.steps) {
        if (readsContext(step)) return true;
        // A step with `@` keeps the context, also for its filters.
        if (step.focus === undefined) return false;
        for (const stage of step.stages ?? [])
          if (stage.type === 'filter' && readsContext(stage.expr)) return true;
      }
      return node.group?.lhs.flat().some(readsContext) ?? false;
    }
    case 'unary':
    case 'binary':
    case 'condition':
    case 'block':
    case 'bind':
      return ownChildrenOf(node).some(readsContext);
    case 'lambda':
      return node.signature !== undefined || readsContext(node.body);
    case 'function':
      return callReads(node, []);
    case 'apply':
      return node.rhs.type !== 'function' || readsContext(node.lhs) || callReads(node.rhs, [node.lhs]);
    default:
      return true;
  }
}
