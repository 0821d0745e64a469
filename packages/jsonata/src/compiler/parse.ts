import jsonata from 'jsonata';
import { asJsonataError, JsonataError } from '../runtime/errors.ts';
import type { Node } from './ast.ts';
import { checkIntricacy } from './intricacy.ts';

/** Parses an expression with the reference parser. Errors: Sxxxx, D1011 when nested too deeply, L1005 when too long. */
export function parse(expression: string): Node {
  checkIntricacy(expression);
  try {
    // The parser's own declaration leaves out most of what it produces; `Node` states it, proved by the official suite.
    return jsonata(expression).ast() as unknown as Node;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw new JsonataError('S0303', { value: thrown.message });
    throw asJsonataError(thrown);
  }
}
