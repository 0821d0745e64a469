import jsonata from 'jsonata';
import { asJsonataError, JsonataError } from '../runtime/errors.ts';
import type { Node } from './ast.ts';
import { checkIntricacy } from './intricacy.ts';

/** Parses an expression with the reference parser. @throws JsonataError Sxxxx, D1011 (nested too deeply), L1005 (too long) */
export function parse(expression: string): Node {
  checkIntricacy(expression);
  try {
    // The parser's type declaration omits most of its output. The official suite verifies that `Node` matches.
    return jsonata(expression).ast() as unknown as Node;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw new JsonataError('S0303', { value: thrown.message });
    throw asJsonataError(thrown);
  }
}
