import { JsonataError } from '../runtime/errors.ts';
import { LIMIT_CODES } from '../runtime/limits.ts';

/** Maximum length of an expression, UTF-16 units. */
const MAX_LENGTH = 262_144;

/** Maximum number of nodes that the parser may copy. */
const MAX_COPIED_NODES = 500_000;

const TOKEN =
  /"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|`[^`]*`|\/\*[\s\S]*?\*\/|\?\?|\?:|[()[\]{},;]|[^"'`/?()[\]{},;]+|[\s\S]/g;

/**
 * Rejects expressions that the reference parser cannot handle: it copies the left side of `?:` and `??`, so nesting
 * doubles the tree at each level. @throws JsonataError L1005
 */
export function checkIntricacy(expression: string): void {
  if (expression.length > MAX_LENGTH) throw refusal();
  if (!/\?[?:]/.test(expression)) return;
  const groups: { done: number; current: number }[] = [{ done: 0, current: 0 }];
  for (const [token] of expression.matchAll(TOKEN)) {
    const group = groups.at(-1) as { done: number; current: number };
    if (token === '?:' || token === '??') {
      group.done += group.current * 2;
      group.current = 1;
    } else if (token === ',' || token === ';') {
      group.done += group.current;
      group.current = 1;
    } else if ('([{'.includes(token)) {
      groups.push({ done: 0, current: 1 });
    } else if (')]}'.includes(token) && groups.length > 1) {
      groups.pop();
      const outer = groups.at(-1) as { done: number; current: number };
      outer.current += group.done + group.current;
      if (outer.current > MAX_COPIED_NODES) throw refusal();
    } else {
      group.current += 1 + (token.length >> 2);
    }
  }
}

function refusal(): JsonataError {
  return new JsonataError(LIMIT_CODES.expressionSize);
}
