import { compile } from '@datadeck/jsonata';
import { describe, expect, it } from 'vitest';
import { EXPRESSIONS } from '../../../../test-support/expressions.ts';
import { ENVIRONMENT } from '../../../../test-support/rows.ts';
import { completionsAt } from './completion.ts';
import { format } from './format.ts';
import { freeVariables } from './free-variables.ts';
import { infer } from './infer.ts';
import { diagnosticsIn } from './lint.ts';
import { parseTolerantly } from './parse-tolerantly.ts';
import { walk } from './tree.ts';
import { watchExpressionAt } from './watch-expression.ts';

function compiles(text: string): boolean {
  try {
    compile(text);
    return true;
  } catch {
    return false;
  }
}

describe('parseTolerantly', () => {
  it('reports no problems in expressions that the engine compiles', () => {
    for (const text of EXPRESSIONS.filter(compiles)) expect(parseTolerantly(text).problems, text).toEqual([]);
  }, 30_000);

  // Property: for every prefix of every expression, the range of each node lies inside that of its parent.
  it('builds a tree of any prefix, with children inside their parents', () => {
    for (const text of EXPRESSIONS) {
      for (let length = 0; length <= text.length; length++) {
        const { root } = parseTolerantly(text.slice(0, length));
        walk(root, (node) => {
          for (const { from, to } of node.children)
            if (from < node.from || to > node.to) throw new Error(`${text} at ${length}`);
        });
      }
    }
  });

  it.each(['(', 'a.', 'a & ', '[', '$f(', '{"a": ', 'function($x) { ', '-', 'a ? ', '`', '/* '])(
    'handles 20,000 repetitions of %s without failing',
    (piece) => {
      const text = piece.repeat(20_000);
      expect(infer(parseTolerantly(text).root, ENVIRONMENT).size).toBeGreaterThan(0);
      expect(diagnosticsIn(text, ENVIRONMENT).length).toBeLessThan(2);
      expect(() => [
        format(text),
        freeVariables(text),
        watchExpressionAt(text, 9),
        completionsAt(text, 9, ENVIRONMENT),
      ]).not.toThrow();
    },
  );
});
