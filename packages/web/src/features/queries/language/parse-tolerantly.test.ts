import { compile } from '@datadeck/jsonata';
import { expect, test } from 'vitest';
import { EXPRESSIONS } from '../../../../test-support/expressions.ts';
import { GIVEN } from '../../../../test-support/rows.ts';
import { suggestionsAt } from './completion.ts';
import { format } from './format.ts';
import { freeVariables } from './free-variables.ts';
import { infer } from './infer.ts';
import { findingsIn } from './lint.ts';
import { parseTolerantly } from './parse-tolerantly.ts';
import { walk } from './tree.ts';
import { valueAt } from './value-at.ts';

function isTaken(text: string): boolean {
  try {
    compile(text);
    return true;
  } catch {
    return false;
  }
}

test('finds no fault with what the engine takes', () => {
  for (const text of EXPRESSIONS.filter(isTaken)) expect(parseTolerantly(text).problems, text).toEqual([]);
}, 30_000);

test('makes a tree of every beginning, with children inside their parents', () => {
  const sample = EXPRESSIONS.filter((text) => text.length < 300).slice(0, 300);
  for (const text of sample) {
    for (let length = 0; length <= text.length; length += 3) {
      const { root } = parseTolerantly(text.slice(0, length));
      walk(root, (node) => {
        for (const { from, to } of node.children)
          if (from < node.from || to > Math.max(node.to, length)) throw new Error(`${text} at ${length}`);
      });
    }
  }
});

test.each(['(', 'a.', 'a & ', '[', '$f(', '{"a": ', 'function($x) { ', '-', 'a ? ', '`', '/* '])(
  'gives up on an absurd number of %s instead of the page',
  (piece) => {
    const text = piece.repeat(20_000);
    expect(infer(parseTolerantly(text).root, GIVEN).size).toBeGreaterThan(0);
    expect(findingsIn(text, GIVEN).length).toBeLessThan(2);
    expect(() => [
      format(text),
      freeVariables(text),
      valueAt(text, 9),
      suggestionsAt(text, 9, GIVEN),
    ]).not.toThrow();
  },
);
