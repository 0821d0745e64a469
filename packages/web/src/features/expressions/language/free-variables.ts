import { FUNCTION_DOCS } from './function-docs.ts';
import { infer, lookUp } from './infer.ts';
import { parseTolerantly } from './parse-tolerantly.ts';
import { walk } from './tree.ts';

/** Valid input names, by the contract's rule. */
const INPUT_NAME = /^[A-Za-z_]\w{0,29}$/;

/** Returns the variables that the expression does not bind: its inputs, in the order of the text. */
export function freeVariables(text: string): string[] {
  const { root } = parseTolerantly(text);
  const types = infer(root, { root: undefined });
  const names = new Set<string>();
  const callees = new Set<unknown>();
  walk(root, (node) => {
    if (node.kind === 'call') callees.add(node.children[0]);
    if (node.kind !== 'variable' || callees.has(node) || !INPUT_NAME.test(node.text)) return;
    const inferred = types.get(node);
    if (!inferred || lookUp(inferred.scope, node.text) || FUNCTION_DOCS.has(`$${node.text}`)) return;
    names.add(node.text);
  });
  return [...names];
}
